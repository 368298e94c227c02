import { expect, test } from "vitest";
import { createSemaphore } from "./semaphore";

/** Work that reports its start, and ends when the test says so. */
function newWork() {
  const begun: string[] = [];
  const ends = new Map<string, { end: () => void; fail: (error: Error) => void }>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((end, fail) => ends.set(name, { end, fail }));
  };
  return {
    begun,
    work,
    end: (name: string) => ends.get(name)?.end(),
    fail: (name: string) => ends.get(name)?.fail(new Error(name)),
  };
}

test("so many run at once, and whoever asked first is next, also after a failure", async () => {
  const turns = createSemaphore(2);
  const { begun, work, end, fail } = newWork();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => turns.run(work(name)));
  await expect.poll(() => begun).toEqual(["a", "b"]);
  fail("b");
  await expect(b).rejects.toThrow("b");
  await expect.poll(() => begun).toEqual(["a", "b", "c"]);
  end("a");
  end("c");
  await Promise.all([a, c]);
  end("d");
  await d;
  expect(begun).toEqual(["a", "b", "c", "d"]);
  const e = turns.run(work("e"));
  expect(begun).toContain("e");
  end("e");
  await e;
});

test("nobody who asks later takes the place that was waited for", async () => {
  const turns = createSemaphore(1);
  const { begun, work, end } = newWork();
  const first = turns.run(work("first"));
  const second = turns.run(work("second"));
  const third = first.then(() => turns.run(work("third")));
  end("first");
  await expect.poll(() => begun).toEqual(["first", "second"]);
  end("second");
  await expect.poll(() => begun).toEqual(["first", "second", "third"]);
  end("third");
  await Promise.all([second, third]);
});
