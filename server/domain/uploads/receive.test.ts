import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { receive } from "./receive";

const LIMITS = { bytesMax: 10, timeoutMs: 5_000, graceMs: 5_000, bytesPerSecondMin: 1, stallMs: 5_000 };
const refused = (code: string) => expect.objectContaining({ code });

async function* pieces(...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

async function sizesOf(source: AsyncIterable<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const piece of source) sizes.push(piece.byteLength);
  return sizes;
}

test("a file within the limits comes through piece by piece", async () => {
  expect(await sizesOf(receive(pieces(4, 0, 6), LIMITS))).toEqual([4, 0, 6]);
});

test("the piece that goes over the cap is not passed on, and the source is let go of", async () => {
  let isLetGo = false;
  const endless = async function* () {
    try {
      for (;;) yield new Uint8Array(4);
    } finally {
      isLetGo = true;
    }
  };
  const passed: number[] = [];
  const all = (async () => {
    for await (const piece of receive(endless(), LIMITS)) passed.push(piece.byteLength);
  })();
  await expect(all).rejects.toEqual(refused("payload_too_large"));
  expect(passed).toEqual([4, 4]);
  await expect.poll(() => isLetGo).toBe(true);
});

test("silence ends it, and so does dripping past the time for the whole", async () => {
  const silent = async function* () {
    yield new Uint8Array(1);
    await new Promise(() => undefined);
  };
  const dripping = async function* () {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      yield new Uint8Array(0);
    }
  };
  await expect(sizesOf(receive(silent(), { ...LIMITS, stallMs: 30 }))).rejects.toEqual(
    refused("request_timeout"),
  );
  await expect(sizesOf(receive(dripping(), { ...LIMITS, timeoutMs: 30 }))).rejects.toEqual(
    refused("request_timeout"),
  );
});

describe("after the grace, a file", () => {
  const RATED = {
    ...LIMITS,
    bytesMax: 1_000_000,
    timeoutMs: 600_000,
    graceMs: 10_000,
    bytesPerSecondMin: 8_000,
  };
  afterEach(() => vi.restoreAllMocks());

  /** Chunks of that many bytes, one per second by the test's clock. */
  async function* everySecond(bytes: number, count: number) {
    const now = vi.spyOn(performance, "now");
    for (let second = 0; second < count; second++) {
      now.mockReturnValue(second * 1_000);
      yield new Uint8Array(bytes);
    }
  }

  beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(0));

  test("that comes at twice the least average speed comes through", async () => {
    expect(await sizesOf(receive(everySecond(16_000, 60), RATED))).toHaveLength(60);
  });

  test("that is slower is refused, be it ever so steady", async () => {
    await expect(sizesOf(receive(everySecond(1, 60), RATED))).rejects.toEqual(refused("request_timeout"));
  });

  test("that ends within it may be as slow as it likes", async () => {
    expect(await sizesOf(receive(everySecond(1, 9), RATED))).toHaveLength(9);
  });
});

test("a sender that is gone in the middle is no error of ours", async () => {
  const broken = async function* () {
    yield new Uint8Array(1);
    throw new Error("aborted");
  };
  await expect(sizesOf(receive(broken(), LIMITS))).rejects.toEqual(refused("request_timeout"));
});
