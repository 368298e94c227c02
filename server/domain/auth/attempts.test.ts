import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { type Attempt, ATTEMPTS_MAX, countAttempt, isFirstUse, SLOWED } from "./attempts";

let world: TestWorld;
beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

const newAccount = () => `ada-${randomInt(2 ** 40)}@example.com`;
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Makes all attempts concurrently; returns whether each was allowed. */
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
    expect(await countOf(attempts)).toBe(ATTEMPTS_MAX[kind] + SLOWED[kind].max);
  },
);

test.each([
  ["one network, at one account", "accountFromNetwork", () => newAddress(), newAccount()],
  ["one network, at many accounts", "network", () => newAddress(), null],
  ["many networks, at one account", "account", null, newAccount()],
] as const)(
  "who has had their attempts from %s is slowed down, and not shut out",
  async (_, kind, make, account) => {
    const address = make?.() ?? null;
    const attempt = () => ({ account: account ?? newAccount(), address: address ?? newAddress() });
    const attempts = (count: number) => Array.from({ length: count }, attempt);
    await countOf(attempts(ATTEMPTS_MAX[kind] + 10));
    const refused = await countAttempt(world.services, attempt()).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "too_many_attempts",
      message: expect.stringContaining("1 minute."),
    });
    expect(refused).toHaveProperty("headers.Retry-After", expect.stringMatching(/^(?:[1-5]?[0-9]|60)$/));
    // Simulates a passing minute by ending windows, because the database's clock keeps real time.
    expect(await endWindows(60)).toBeGreaterThan(0);
    expect(await countOf(attempts(10))).toBe(SLOWED[kind].max);
  },
);

/** Ends the windows that would end within that many seconds, and returns how many. */
async function endWindows(seconds: number): Promise<number> {
  const { count } = await world.database.sql`
    update sign_in_attempts set window_ends_at = clock_timestamp()
    where window_ends_at <= clock_timestamp() + make_interval(secs => ${seconds})`;
  return count;
}

/**
 * Simulates a day by windows of fifteen minutes, each with as many minutes or pairs of minutes, and one more at its
 * edge.
 */
test.each([
  ["at one account from one network", "accountFromNetwork", 2_496],
  ["at one account from all networks", "account", 9_408],
  ["from one network", "network", 9_408],
  ["at one second factor", "secondFactor", 1_728],
] as const)("guesses %s stay as few a day as the documentation of the limits says", (_, kind, aDay) => {
  const { max, seconds } = SLOWED[kind];
  expect(96 * (ATTEMPTS_MAX[kind] + max * Math.ceil((15 * 60 + 1) / seconds))).toBe(aDay);
});

test.each(["account", "secondFactor"] as const)(
  "a known place has attempts of its own at the %s, all at once too, whatever others have tried",
  async (secret) => {
    const [account, address] = [newAccount(), newAddress()];
    const others = Array.from({ length: 80 }, () => ({ account, address: newAddress(), secret }));
    const neighbours = Array.from({ length: 80 }, () => ({ account: newAccount(), address, secret }));
    await countOf([...others, ...neighbours]);
    const kind = `${secret}FromPlace` as const;
    const max = ATTEMPTS_MAX[kind] + SLOWED[kind].max;
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
  expect(await countOf(attempts)).toBe(ATTEMPTS_MAX.network + SLOWED.network.max);
});

test("who is refused isn't counted at what had room", async () => {
  const [account, address] = [newAccount(), newAddress()];
  const max = ATTEMPTS_MAX.accountFromNetwork + SLOWED.accountFromNetwork.max;
  expect(await countOf(Array.from({ length: max }, () => ({ account, address })))).toBe(max);
  expect(await countOf([{ account, address }])).toBe(0);
  const elsewhere = Array.from({ length: ATTEMPTS_MAX.network }, () => ({ account: newAccount(), address }));
  expect(await countOf(elsewhere)).toBe(ATTEMPTS_MAX.network + SLOWED.network.max - max);
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
