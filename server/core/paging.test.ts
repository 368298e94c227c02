import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "./context";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { decodeCursor, encodeCursor } from "./paging";

let world: SendWorld;
let ctx: Context;

beforeAll(async () => {
  world = await openSendWorld();
  ctx = world.ctx;
});
afterAll(() => world.close());

describe("a cursor", () => {
  test.each([[["1"]], [["123456789012"]], [["2026-01-01T00:00:00.000Z", "Grüße 👋"]], [[]]])(
    "gives its position back: %j",
    (position) => {
      expect(decodeCursor(ctx, "messages", encodeCursor(ctx, "messages", position))).toEqual(position);
    },
  );

  test("tells nothing of its position, neither its text nor its length, and is the same for the same position", () => {
    const cursor = encodeCursor(ctx, "messages", ["554"]);
    for (const encoding of ["base64url", "base64", "hex", "latin1"] as const) {
      for (const part of [cursor, ...cursor.split(".")])
        expect(Buffer.from(part, encoding).toString("latin1")).not.toContain("554");
    }
    expect(encodeCursor(ctx, "messages", ["123456789012"])).toHaveLength(cursor.length);
    expect(encodeCursor(ctx, "messages", ["554"])).toBe(cursor);
  });

  test("stays short", () => {
    expect(encodeCursor(ctx, "messages", ["123456789012"]).length).toBeLessThanOrEqual(64);
  });
});
