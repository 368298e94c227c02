import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "@/server/log";
import { keepRegistered } from "./registration";

const done = () => Response.json({ message: "Successfully registered", modified: true });

/** A registration that is answered with these in turn, the last again and again. */
function register(...answers: (() => Response)[]) {
  let calls = 0;
  let toldOf = 0;
  const registration = keepRegistered({
    register: async () => {
      const answer = answers[Math.min(calls++, answers.length - 1)];
      if (!answer) throw new Error("There is no answer");
      return answer();
    },
    serveOrigin: "http://waypost.example",
    log: createLogger({ level: "silent" }),
    registered: () => void (toldOf += 1),
    firstWaitMs: 1,
  });
  onTestFinished(() => registration.stop());
  return { registration, calls: () => calls, toldOf: () => toldOf };
}

test("functions are registered again and again until the server has taken them, and then no more", async () => {
  const { registration, calls, toldOf } = register(
    () => {
      throw new Error("fetch failed: ECONNREFUSED");
    },
    () => Response.json({ message: "no" }, { status: 500 }),
    () => new Response("not JSON", { status: 502 }),
    done,
  );
  await expect.poll(calls).toBe(4);
  await registration.stop();
  expect({ calls: calls(), toldOf: toldOf() }).toEqual({ calls: 4, toldOf: 1 });
});

test("functions are registered anew when that is asked for, once more for all who ask meanwhile", async () => {
  const { registration, calls, toldOf } = register(done);
  await expect.poll(calls).toBe(1);
  await new Promise(setImmediate);
  registration.again();
  registration.again();
  registration.again();
  await expect.poll(calls).toBe(3);
  await registration.stop();
  registration.again();
  await new Promise(setImmediate);
  expect({ calls: calls(), toldOf: toldOf() }).toEqual({ calls: 3, toldOf: 1 });
});
