import fc from "fast-check";
import { expect, test } from "vitest";
import { DueQueue } from "./number-queue";

test("items leave by time, and those of equal time in the order of arrival", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const queue = new DueQueue<{ at: number; index: number }>();
      const items = times.map((at, index) => ({ at, index }));
      for (const item of items) queue.push(item.at, item);
      const taken = [];
      while (queue.size > 0) {
        const { nextAt } = queue;
        const item = queue.pop();
        expect(item?.at).toBe(nextAt);
        taken.push(item);
      }
      expect(taken).toEqual(items.toSorted((a, b) => a.at - b.at || a.index - b.index));
      expect([queue.nextAt, queue.pop()]).toEqual([Infinity, undefined]);
    }),
  );
});
