import { AsyncLocalStorage } from "node:async_hooks";
import { Inngest } from "inngest";
import { getAsyncCtx } from "inngest/experimental";
import { expect, test, vi } from "vitest";
import { runWithoutAsyncContext } from "./async-context";
import { serve } from "inngest/edge";
import { callFunction } from "./calls/testing";

test("the SDK runs a function and its step without ever entering an async context", async () => {
  const entered = vi.spyOn(AsyncLocalStorage.prototype, "run");
  runWithoutAsyncContext();
  const inngest = new Inngest({
    id: "test",
    isDev: true,
    baseUrl: "http://inngest.invalid",
    eventKey: "test",
  });
  const seen: unknown[] = [];
  const fn = inngest.createFunction(
    { id: "one", triggers: [{ event: "test/one" }], retries: 0, checkpointing: false },
    async ({ step }) => {
      await step.run("only", () => getAsyncCtx().then((context) => void seen.push(context)));
    },
  );
  const handler = serve({ client: inngest, functions: [fn] });
  await callFunction(handler, "test-one", { name: "test/one", data: {} });
  expect(seen).toEqual([undefined]);
  expect(entered).not.toHaveBeenCalled();
});
