import { expect, test } from "vitest";
import { createSingleFlight } from "./single-flight";

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test("one goes first, and after its success the others go on together", async () => {
  const singleFlight = createSingleFlight();
  const first = gate();
  let running = 0;
  let runningMax = 0;
  const others = gate();
  const results = [
    singleFlight("a", async () => (await first.opened, "first")),
    ...[1, 2, 3].map((n) =>
      singleFlight("a", async () => {
        runningMax = Math.max(runningMax, ++running);
        if (running === 3) others.open();
        await others.opened;
        return n;
      }),
    ),
  ];
  expect(running).toBe(0);
  first.open();
  expect(await Promise.all(results)).toEqual(["first", 1, 2, 3]);
  expect(runningMax).toBe(3);
});

test("after a failure the next one goes first, alone", async () => {
  const singleFlight = createSingleFlight();
  const order: string[] = [];
  const second = gate();
  const failing = singleFlight("a", async () => {
    order.push("first");
    throw new Error("refused");
  });
  const next = singleFlight("a", async () => {
    order.push("second");
    await second.opened;
  });
  const last = singleFlight("a", async () => void order.push("third"));
  await expect(failing).rejects.toThrow("refused");
  await Promise.resolve();
  expect(order).toEqual(["first", "second"]);
  second.open();
  await Promise.all([next, last]);
  expect(order).toEqual(["first", "second", "third"]);
});

test("names don't wait for each other", async () => {
  const singleFlight = createSingleFlight();
  const never = new Promise<never>(() => undefined);
  void singleFlight("a", () => never);
  expect(await singleFlight("b", async () => "through")).toBe("through");
});
