import { describe, expect, it } from "vitest";
import { breakages, type Breakage, problemsWhileBroken } from "./broken-database";
import { describeCampaign } from "./describe";
import { hostileSettings } from "./settings";

/** A fixed seed, so that no change fails because of a new seed's findings: the long run uses new seeds. */
const SETTINGS = hostileSettings({ cases: 1_000, seed: 1 });

describeCampaign("node", SETTINGS, ({ world }) => {
  describe("with a database that is broken, the server says so in constant words, and works once it is whole", () => {
    it.for<Breakage>(breakages)("$name", async (breakage) => {
      expect(await problemsWhileBroken(world(), breakage)).toEqual([]);
    });
  });
});
