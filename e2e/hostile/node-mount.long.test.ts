import { expect, it } from "vitest";
import { describeCampaign } from "./describe";
import { hostileSettings } from "./settings";

const MEBIBYTE = 1024 * 1024;
/** Maximum growth, independent of the number of requests; more than twice as much is sent between the measurements. */
const GROWTH_BYTES_MAX = { used: 6 * MEBIBYTE, resident: 160 * MEBIBYTE } as const;

describeCampaign("node", hostileSettings({ cases: 5_000 }), ({ report }) => {
  it("none leaves anything behind in the server's memory", () => {
    const { before, after } = report().memory;
    expect(after.usedBytes - before.usedBytes).toBeLessThan(GROWTH_BYTES_MAX.used);
    expect(after.residentBytes - before.residentBytes).toBeLessThan(GROWTH_BYTES_MAX.resident);
  });
});
