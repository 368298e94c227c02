import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { openTestWorld, type TestWorld } from "../organizations/testing";
import { ATTEMPTS_MAX, countAttempt } from "./attempts";
import { HASHING_LIMITS, limitPasswords, type Passwords } from "./passwords";
import { networkOf } from "./network";
import { createTestBrowser, PASSWORD } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const newEmail = () => `nobody-${randomInt(2 ** 40)}@example.com`;

/** Passwords that are hashed and compared until somebody lets them go on. */
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

/** Sign-ins from the address's network that are counted at this moment. */
async function attemptsFrom(address: string): Promise<number> {
  const subject = world.services.vault.derive(`attempt:network:${networkOf(address)}`);
  const [row] = await world.database.sql<{ count: number }[]>`
    select count from sign_in_attempts where subject = ${subject}`;
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

test("of forty who sign in at once those for whom there is no room are asked to wait, which is no wrong attempt", async () => {
  const { limited, release, mostAtOnce } = held(world.services.passwords);
  const services = { ...world.services, passwords: limited };
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const room = HASHING_LIMITS.atOnce + HASHING_LIMITS.waiting;
  const refused: unknown[] = [];
  let counted = 0;
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const browser = createTestBrowser(services, address);
      const answer = await browser.ask("/sign-in/email", { email: newEmail(), password: PASSWORD });
      if (answer.status === 503 && refused.push(answer.body) === 40 - room) {
        await until("passwords are hashed", () => mostAtOnce() === HASHING_LIMITS.atOnce);
        counted = await attemptsFrom(address);
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
  // Those that wait, or are refused, have asked the database for nothing.
  expect(counted).toBe(HASHING_LIMITS.atOnce);
  const more = Array.from({ length: ATTEMPTS_MAX.network }, () =>
    countAttempt(services, { address, account: newEmail() }),
  );
  const letThrough = (await Promise.allSettled(more)).filter(({ status }) => status === "fulfilled");
  expect(letThrough).toHaveLength(ATTEMPTS_MAX.network - room);
});
