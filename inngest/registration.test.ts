import { expect, onTestFinished, test } from "vitest";
import { recordLog } from "@/server/adapters/limits/testing";
import type { RegistrationError } from "./register";
import { keepRegistered } from "./registration";

const FACTS = { server: "http://inngest.example", calls: "http://waypost.example/api/inngest" };
const AWAY: RegistrationError = { kind: "unreachable", reason: "fetch failed: ECONNREFUSED" };
const WRONG_KEY: RegistrationError = { kind: "key", reason: "it refuses INNGEST_SIGNING_KEY: 401" };

/** A registration that gets these responses in turn. The last one is repeated. */
function register(...answers: (RegistrationError | null | Error)[]) {
  const { log, lines } = recordLog();
  let calls = 0;
  let reportedOf = 0;
  const registration = keepRegistered({
    register: async () => {
      const answer = answers[Math.min(calls++, answers.length - 1)];
      if (answer === undefined) throw new Error("There is no answer");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    facts: FACTS,
    log,
    registered: () => void (reportedOf += 1),
    firstWaitMs: 1,
  });
  onTestFinished(() => registration.stop());
  return { registration, calls: () => calls, reportedOf: () => reportedOf, lines };
}

test("functions are registered again and again until the server has taken them, and then no more", async () => {
  const { registration, calls, reportedOf } = register(new Error("broken"), AWAY, WRONG_KEY, null);
  await expect.poll(calls).toBe(4);
  await registration.stop();
  expect({ calls: calls(), reportedOf: reportedOf() }).toEqual({ calls: 4, reportedOf: 1 });
});

test("a server that is away is told of once, with its address, a wrong key after it once, and the end once", async () => {
  const { registration, calls, lines } = register(AWAY, AWAY, WRONG_KEY, AWAY, WRONG_KEY, null);
  await expect.poll(calls).toBe(6);
  await registration.stop();
  expect(lines()).toMatchObject([
    { level: "warn", ...FACTS, reason: AWAY.reason, msg: expect.stringContaining("can't be registered") },
    { level: "warn", ...FACTS, reason: WRONG_KEY.reason },
    { level: "info", ...FACTS, msg: expect.stringContaining("are registered") },
  ]);
  expect(lines()).toHaveLength(3);
});

test("why the server refuses the functions can be asked for, until it takes them", async () => {
  const answers: (RegistrationError | null)[] = [WRONG_KEY];
  const { registration, calls } = register(...answers);
  expect(registration.refused()).toBeNull();
  await expect.poll(registration.refused).toBe(WRONG_KEY.reason);
  await registration.stop();
  expect(calls()).toBeGreaterThan(0);
  const taken = register(null);
  await expect.poll(taken.reportedOf).toBe(1);
  expect(taken.registration.refused()).toBeNull();
});

test("functions are registered anew when that is asked for, once more for all who ask meanwhile", async () => {
  const { registration, calls, reportedOf, lines } = register(null);
  await expect.poll(calls).toBe(1);
  await new Promise(setImmediate);
  registration.again();
  registration.again();
  registration.again();
  await expect.poll(calls).toBe(3);
  await registration.stop();
  registration.again();
  await new Promise(setImmediate);
  expect({ calls: calls(), reportedOf: reportedOf() }).toEqual({ calls: 3, reportedOf: 1 });
  expect(lines()).toHaveLength(1);
});
