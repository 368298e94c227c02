import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetPassword } from "@/server/domain/members/reset-password";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createTestBrowser, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const INVALID = { status: 404, body: { error: { code: "link_invalid" } } };

/** A signed-in person, with a link for a new password. */
async function withLink() {
  const person = await newTestPerson(world);
  await person.signIn();
  const { email } = person;
  const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
  const set = (newPassword: string) =>
    createTestBrowser(world.services).ask("/reset-password", { token, newPassword });
  return { ...person, set };
}

describe("a link for a new password", () => {
  test("that has ended sets nothing, and ends no sign-in", async () => {
    const { email, set, signIn, who, acts } = await withLink();
    const { count } = await world.database.sql`
      update verifications set expires_at = clock_timestamp() - interval '1 second'
      where value = (select id::text from users where email = ${email})`;
    expect(count).toBe(1);
    expect(await set("another horse battery")).toMatchObject(INVALID);
    expect(await who()).not.toBeNull();
    expect((await signIn("another horse battery")).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect(await acts()).not.toContain("member.password_changed");
  });

  test("that was used sets nothing a second time, and ends no sign-in that came after", async () => {
    const { set, signIn, who, acts } = await withLink();
    expect((await set("another horse battery")).status).toBe(200);
    expect(await who()).toBeNull();
    expect((await signIn("another horse battery")).status).toBe(200);
    expect(await set("a stolen horse battery")).toMatchObject(INVALID);
    expect(await who()).not.toBeNull();
    expect((await signIn("a stolen horse battery")).status).toBe(401);
    expect((await acts()).filter((act) => act === "member.password_changed")).toHaveLength(1);
  });

  test("that eight use at once sets the password of one of them", async () => {
    const { email, set, acts } = await withLink();
    const passwords = Array.from({ length: 8 }, (_, index) => `horse battery number ${index}`);
    const answers = await Promise.all(passwords.map(set));
    const wins = passwords.filter((_, index) => answers[index]?.status === 200);
    expect(wins).toHaveLength(1);
    for (const loss of answers.filter(({ status }) => status !== 200)) expect(loss).toMatchObject(INVALID);
    const works = [];
    for (const password of passwords) {
      const { status } = await createTestBrowser(world.services).ask("/sign-in/email", { email, password });
      if (status === 200) works.push(password);
    }
    expect(works).toEqual(wins);
    expect((await acts()).filter((act) => act === "member.password_changed")).toHaveLength(1);
  });
});
