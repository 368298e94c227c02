import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { type Attempt, ATTEMPTS_MAX, countAttempt, isFirstUse, SLOWED } from "./attempts";

let world: TestWorld;
beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

const newAccount = () => `ada-${randomInt(2 ** 40)}@example.com`;
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Whether each was let through, all made at once. */
function letThrough(attempts: readonly Attempt[]): Promise<boolean[]> {
  return Promise.all(
    attempts.map((attempt) =>
      countAttempt(world.services, attempt).then(
        () => true,
        () => false,
      ),
    ),
  );
}

const countOf = async (attempts: readonly Attempt[]) =>
  (await letThrough(attempts)).filter((isThrough) => isThrough).length;

test.each([
  ["network, at many accounts", "network", () => newAddress(), null],
  ["network, at one account", "accountFromNetwork", () => newAddress(), newAccount()],
  ["one account, from many networks", "account", null, newAccount()],
] as const)(
  "from one %s, as many are let through as may be wrong, all at once too",
  async (_, kind, make, account) => {
    const address = make?.() ?? null;
    const attempts = Array.from({ length: ATTEMPTS_MAX[kind] + 10 }, () => ({
      address: address ?? newAddress(),
      account: account ?? newAccount(),
    }));
    expect(await countOf(attempts)).toBe(ATTEMPTS_MAX[kind] + (SLOWED[kind]?.max ?? 0));
  },
);

test("an account that has had its attempts is slowed down for unknown places, and not shut out", async () => {
  const account = newAccount();
  const attempts = (count: number) =>
    Array.from({ length: count }, () => ({ account, address: newAddress() }));
  await countOf(attempts(ATTEMPTS_MAX.account + 10));
  const refused = await countAttempt(world.services, { account, address: newAddress() }).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: "too_many_attempts", message: expect.stringContaining("1 minute.") });
  // As if a minute had passed: the database's clock goes on by itself.
  const { rowCount } = await windowEnds(60);
  expect(rowCount).toBeGreaterThan(0);
  expect(await countOf(attempts(10))).toBe(SLOWED.account?.max);
});

/** Ends the windows that would end within so many seconds. */
async function windowEnds(seconds: number) {
  const { count } = await world.database.sql`
    update sign_in_attempts set window_ends_at = clock_timestamp()
    where window_ends_at <= clock_timestamp() + make_interval(secs => ${seconds})`;
  return { rowCount: count };
}

test.each(["account", "secondFactor"] as const)(
  "a known place has attempts of its own at the %s, all at once too, whatever others have tried",
  async (secret) => {
    const [account, address] = [newAccount(), newAddress()];
    const others = Array.from({ length: 80 }, () => ({ account, address: newAddress(), secret }));
    const neighbours = Array.from({ length: 80 }, () => ({ account: newAccount(), address, secret }));
    await countOf([...others, ...neighbours]);
    const kind = `${secret}FromPlace` as const;
    const max = ATTEMPTS_MAX[kind] + (SLOWED[kind]?.max ?? 0);
    for (const place of [
      { kind: "browser", name: account },
      { kind: "network", name: address },
    ] as const)
      expect(
        await countOf(Array.from({ length: max + 5 }, () => ({ account, address, secret, place }))),
      ).toBe(max);
  },
);

test("all addresses of one IPv6 network count as one", async () => {
  const network = `2001:db8:${randomInt(65_536).toString(16)}:1`;
  const attempts = Array.from({ length: ATTEMPTS_MAX.network + 10 }, (__, index) => ({
    address: index % 2 === 0 ? `${network}::${index + 1}` : `${network}:0:0:0:${index + 1}`,
    account: newAccount(),
  }));
  expect(await countOf(attempts)).toBe(ATTEMPTS_MAX.network);
});

test("who is refused is told how long to wait, and isn't counted at what had room", async () => {
  const [account, address] = [newAccount(), newAddress()];
  const others = Array.from({ length: ATTEMPTS_MAX.accountFromNetwork }, () => ({ account, address }));
  expect(await countOf(others)).toBe(ATTEMPTS_MAX.accountFromNetwork);
  const refused = await countAttempt(world.services, { account, address }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "too_many_attempts" });
  expect(refused).toHaveProperty("headers.Retry-After", expect.stringMatching(/^(?:8[0-9][0-9]|900)$/));
  const elsewhere = Array.from({ length: ATTEMPTS_MAX.network }, () => ({ account: newAccount(), address }));
  expect(await countOf(elsewhere)).toBe(ATTEMPTS_MAX.network - others.length);
});

test("one that was right is taken back", async () => {
  const [account, address] = [newAccount(), newAddress()];
  for (let attempt = 0; attempt < ATTEMPTS_MAX.accountFromNetwork + 5; attempt++) {
    const takeBack = await countAttempt(world.services, { account, address });
    await takeBack();
  }
  expect(await countOf([{ account, address }])).toBe(1);
});

test("of twenty who use a code of one account at once, one is the first; another account's is another code", async () => {
  const account = newAccount();
  const use = (of = account) => isFirstUse(world.services, { account: of, code: "123456" });
  const uses = await Promise.all(Array.from({ length: 20 }, () => use()));
  expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
  expect(await use(newAccount())).toBe(true);
});
