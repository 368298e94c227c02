import { describe, expect, test } from "vitest";
import { createBatcher } from "@/server/lib/batch";
import { eventually } from "@/e2e/support/eventually";

/** A `run` whose batches end when the test says so, one by one. */
function heldRun() {
  const started: { items: readonly number[]; finish(): void; fail(error: Error): void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      started.push({ items, finish: () => resolve(items.map((item) => item * 10)), fail: reject });
    });
  return { run, started, sizes: () => started.map((batch) => batch.items.length) };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe("createBatcher", () => {
  test("calls of one turn go out together, at its end", async () => {
    const { run, started, sizes } = heldRun();
    const ask = createBatcher({ run, itemsMax: 100, inFlightMax: 1 });
    const answers = Promise.all(range(0, 5).map(ask));
    expect(sizes()).toEqual([]);
    await turn();
    expect(sizes()).toEqual([5]);
    started[0]?.finish();
    expect(await answers).toEqual([0, 10, 20, 30, 40]);
  });

  test("a call made while a batch runs is answered by a batch that starts after it", async () => {
    const { run, started } = heldRun();
    const ask = createBatcher({ run, itemsMax: 100, inFlightMax: 1 });
    const first = ask(1);
    await turn();
    const second = ask(2);
    const third = ask(3);
    await turn();
    expect(started.map((batch) => batch.items)).toEqual([[1]]);
    started[0]?.finish();
    expect(await first).toBe(10);
    await eventually(() => expect(started.map((batch) => batch.items)).toEqual([[1], [2, 3]]));
    started[1]?.finish();
    expect(await Promise.all([second, third])).toEqual([20, 30]);
  });

  test("a call made after its batch was formed, in the same turn, is left for the next one", async () => {
    const seen: number[][] = [];
    const ask = createBatcher<number, number>({
      run: (items) => {
        seen.push([...items]);
        if (seen.length === 1) void ask(2);
        return Promise.resolve([...items]);
      },
      itemsMax: 100,
      inFlightMax: 4,
    });
    await ask(1);
    await eventually(() => expect(seen).toEqual([[1], [2]]));
  });

  test("where more are to be gathered, a batch waits for them, and then goes at once", async () => {
    const { run, started, sizes } = heldRun();
    const ask = createBatcher({ run, itemsMax: 100, inFlightMax: 1, gathered: () => 3 });
    const first = [ask(0), ask(1)];
    await turn();
    expect(sizes()).toEqual([]);
    const answers = Promise.all([...first, ask(2)]);
    await turn();
    expect(sizes()).toEqual([3]);
    started[0]?.finish();
    expect(await answers).toEqual([0, 10, 20]);
  });

  test("who is to be gathered with others that don't come is asked for all the same", async () => {
    const { run, started } = heldRun();
    const ask = createBatcher({ run, itemsMax: 2, inFlightMax: 1, gathered: () => 50 });
    const answers = Promise.all(range(0, 3).map(ask));
    await eventually(() => expect(started.map((batch) => batch.items)).toEqual([[0, 1]]));
    started[0]?.finish();
    await eventually(() => expect(started.map((batch) => batch.items)).toEqual([[0, 1], [2]]));
    started[1]?.finish();
    expect(await answers).toEqual([0, 10, 20]);
  });

  test("no batch is larger than itemsMax, and no more than inFlightMax run at once", async () => {
    const { run, started, sizes } = heldRun();
    const ask = createBatcher({ run, itemsMax: 4, inFlightMax: 2 });
    const answers = Promise.all(range(0, 10).map(ask));
    await turn();
    expect(sizes()).toEqual([4, 4]);
    started[1]?.finish();
    await eventually(() => expect(sizes()).toEqual([4, 4, 2]));
    started[0]?.finish();
    started[2]?.finish();
    expect(await answers).toEqual(range(0, 10).map((item) => item * 10));
  });

  test("an error of one batch rejects its calls only, and the next batch runs", async () => {
    const { run, started } = heldRun();
    const ask = createBatcher({ run, itemsMax: 2, inFlightMax: 1 });
    const answers = Promise.allSettled([ask(1), ask(2), ask(3)]);
    await turn();
    started[0]?.fail(new Error("connection lost"));
    await eventually(() => expect(started).toHaveLength(2));
    started[1]?.finish();
    expect(await answers).toEqual([
      { status: "rejected", reason: new Error("connection lost") },
      { status: "rejected", reason: new Error("connection lost") },
      { status: "fulfilled", value: 30 },
    ]);
  });

  test("a run that throws at once, or answers with too few, rejects instead of leaving a call open", async () => {
    const throwing = createBatcher<number, number>({
      run: () => {
        throw new Error("no pool");
      },
      itemsMax: 2,
      inFlightMax: 1,
    });
    await expect(throwing(1)).rejects.toThrow("no pool");
    await expect(throwing(2)).rejects.toThrow("no pool");
    const short = createBatcher<number, number>({
      run: () => Promise.resolve([]),
      itemsMax: 2,
      inFlightMax: 1,
    });
    await expect(short(1)).rejects.toThrow("A batch of 1 items was answered with 0");
  });

  test("a batch that hangs fails its calls after the time limit, and the next one runs meanwhile", async () => {
    const batches: (readonly string[])[] = [];
    const call = createBatcher<string, string>({
      itemsMax: 10,
      inFlightMax: 1,
      timeoutMs: 20,
      run: (items) => {
        batches.push(items);
        return items.includes("hangs") ? new Promise(() => undefined) : Promise.resolve(items);
      },
    });
    await expect(call("hangs")).rejects.toMatchObject({ code: "ETIMEDOUT" });
    expect(await call("answered")).toBe("answered");
    expect(batches).toEqual([["hangs"], ["answered"]]);
  });

  test("`undefined` is an answer like any other", async () => {
    const ask = createBatcher<number, undefined>({
      run: (items) => Promise.resolve(items.map(() => undefined)),
      itemsMax: 2,
      inFlightMax: 1,
    });
    expect(await ask(1)).toBeUndefined();
  });
});
