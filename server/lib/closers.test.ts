import { describe, expect, test } from "vitest";
import { createClosers } from "@/server/lib/closers";

describe("createClosers", () => {
  test("closes in reverse order, each with what was opened, also when one fails to close", async () => {
    const closers = createClosers();
    const closed: string[] = [];
    await closers.open(
      () => Promise.resolve("directory"),
      async (name) => void closed.push(name),
    );
    await closers.open(
      () => Promise.resolve("server"),
      async (name) => {
        closed.push(name);
        throw new Error("didn't stop");
      },
    );
    await closers.open(
      () => Promise.resolve("pool"),
      async (name) => void closed.push(name),
    );
    await closers.closeAll();
    await closers.closeAll();
    expect(closed).toEqual(["pool", "server", "directory"]);
  });

  test("waits for what is still opening before it closes what that stands on", async () => {
    const closers = createClosers();
    const steps: string[] = [];
    await closers.open(
      () => Promise.resolve(),
      async () => void steps.push("server stopped"),
    );
    let finish = () => undefined as void;
    const opening = closers.open(
      () => new Promise<void>((resolve) => (finish = resolve)),
      async () => void steps.push("pool closed"),
    );
    const closing = closers.closeAll();
    await expect(
      closers.open(
        () => Promise.resolve(),
        () => Promise.resolve(),
      ),
    ).rejects.toThrow("stops");
    expect(steps).toEqual([]);
    finish();
    await closing;
    await opening;
    expect(steps).toEqual(["pool closed", "server stopped"]);
  });

  test("what failed to open is not closed, and keeps nothing else open", async () => {
    const closers = createClosers();
    const closed: string[] = [];
    await closers.open(
      () => Promise.resolve(),
      async () => void closed.push("first"),
    );
    const failing = closers.open(
      () => Promise.reject(new Error("no room")),
      async () => void closed.push("second"),
    );
    await expect(failing).rejects.toThrow("no room");
    await closers.closeAll();
    expect(closed).toEqual(["first"]);
  });
});
