import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { HASHING_LIMITS, limitPasswords, type Passwords } from "./passwords";
import { networkOf } from "@/server/domain/auth/network";
import { createTestBrowser, PASSWORD } from "@/server/domain/auth/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const newEmail = () => `nobody-${randomInt(2 ** 40)}@example.com`;

/** Passwords whose hashing and comparison wait until the test releases them. */
function held(passwords: Passwords) {
  let [running, mostAtOnce] = [0, 0];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const hold = async <T>(work: () => Promise<T>): Promise<T> => {
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await released;
    running -= 1;
    return work();
  };
  const limited = limitPasswords({
    hash: (password) => hold(() => passwords.hash(password)),
    verify: (kept) => hold(() => passwords.verify(kept)),
  });
  return { limited, release, mostAtOnce: () => mostAtOnce };
}

/** Counted sign-in attempts from these networks at this moment. */
async function attemptsFrom(addresses: readonly string[]): Promise<number> {
  const subjects = addresses.map((one) => world.services.vault.derive(`attempt:network:${networkOf(one)}`));
  const [row] = await world.database.sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::int as count from sign_in_attempts where subject = any(${subjects}::text[])`;
  return row?.count ?? 0;
}

const REFUSED = { code: "unavailable", message: expect.stringContaining("Too many people are signing in") };

test("of many passwords two are hashed at once, twenty wait, and the rest is refused at once", async () => {
  const { limited, release, mostAtOnce } = held(world.services.passwords);
  const { atOnce, waiting } = HASHING_LIMITS;
  const room = Array.from({ length: atOnce + waiting }, (_, index) => limited.hash(`password ${index}`));
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(limited.verify({ hash: "", password: "" })).rejects.toMatchObject(REFUSED);
  release();
  expect(new Set(await Promise.all(room)).size).toBe(room.length);
  expect(mostAtOnce()).toBe(atOnce);
  expect(await limited.verify({ hash: await limited.hash(PASSWORD), password: PASSWORD })).toBe(true);
});

test("every process limits them, whichever way they are hashed", async () => {
  const { atOnce, waiting } = HASHING_LIMITS;
  const asked = Array.from({ length: atOnce + waiting + 1 }, () => world.services.passwords.hash(PASSWORD));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: REFUSED }]);
});

test("one that fails gives its place up", async () => {
  const limited = limitPasswords({
    hash: async () => Promise.reject(new Error("broken")),
    verify: async () => true,
  });
  for (let time = 0; time < HASHING_LIMITS.atOnce * 2; time++)
    await expect(limited.hash("x")).rejects.toThrow("broken");
  expect(await limited.verify({ hash: "", password: "" })).toBe(true);
});

/** New networks that have no sign-in yet. */
const newAddresses = (count: number) =>
  Array.from({ length: count }, () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`);

test("of forty who sign in at once those for whom there is no room are asked to wait, which is no wrong attempt", async () => {
  const { limited, release, mostAtOnce } = held(world.services.passwords);
  const services = { ...world.services, passwords: limited };
  const addresses = newAddresses(40);
  const room = HASHING_LIMITS.atOnce + HASHING_LIMITS.waiting;
  const refused: unknown[] = [];
  let counted = 0;
  const statuses = await Promise.all(
    addresses.map(async (address) => {
      const browser = createTestBrowser(services, address);
      const answer = await browser.ask("/sign-in/email", { email: newEmail(), password: PASSWORD });
      if (answer.status === 503 && refused.push(answer.body) === 40 - room) {
        await until("passwords are hashed", () => mostAtOnce() === HASHING_LIMITS.atOnce);
        counted = await attemptsFrom(addresses);
        release();
      }
      return answer.status;
    }),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([
    ...Array(room).fill(401),
    ...Array(40 - room).fill(503),
  ]);
  expect(refused[0]).toMatchObject({ error: { ...REFUSED, resend: "later" } });
  expect(mostAtOnce()).toBe(HASHING_LIMITS.atOnce);
  // Requests that wait, or are refused, have sent no query to the database.
  expect(counted).toBe(HASHING_LIMITS.atOnce);
  expect(await attemptsFrom(addresses)).toBe(room);
});

test("strangers fill no queue but their own, and one network fills none", async () => {
  const { limited, release } = held(world.services.passwords);
  const { atOnce, waiting, ofNetwork } = HASHING_LIMITS;
  const stranger = (network: string) =>
    limited.admit({ network, isKnownBrowser: false }, () => limited.hash("x"));
  const [flooded = "", ...others] = newAddresses(atOnce + waiting - ofNetwork + 2);
  const room = Array.from({ length: ofNetwork }, () => stranger(flooded));
  await expect(stranger(flooded)).rejects.toMatchObject(REFUSED);
  const last = others.pop() ?? "";
  room.push(...others.map(stranger));
  await expect(stranger(last)).rejects.toMatchObject(REFUSED);
  const known = limited.admit({ network: flooded, isKnownBrowser: true }, () => limited.hash("x"));
  release();
  expect(await Promise.all([...room, known])).toHaveLength(atOnce + waiting + 1);
  // A request that is done has released its place.
  expect(await stranger(flooded)).toEqual(expect.any(String));
});
