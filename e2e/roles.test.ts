import { expect, it } from "vitest";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost } from "@/e2e/support/waypost";

const NOBODY = /^No process runs jobs: .*WAYPOST_ROLE=jobs or all/m;

it(
  "a process that takes messages and finds none that sends them says so at its start, and a misspelt variable is named",
  { timeout: 300_000 },
  async () => {
    const alone = await startWaypost({ env: { WAYPOST_ROLE: "api", WAYPOST_ROLES: "all" } });
    try {
      await until("it says that nobody sends", () => NOBODY.test(alone.program.stdout()));
      expect(alone.program.stderr()).toContain("WAYPOST_ROLES is not a variable of Waypost");
      expect(alone.program.stderr()).toContain("Did you mean WAYPOST_ROLE?");

      const sender = await attachWaypost(alone, { WAYPOST_ROLE: "jobs" });
      const second = await attachWaypost(alone, { WAYPOST_ROLE: "api" });
      await until("the second has started", () =>
        second.program.stdout().includes("Simulated WhatsApp runs"),
      );
      await second.stop();
      expect(second.program.stdout()).not.toMatch(NOBODY);
      await sender.stop();
    } finally {
      await alone.stop();
    }
  },
);
