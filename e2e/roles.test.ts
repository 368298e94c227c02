import { expect, it } from "vitest";
import { until } from "@/e2e/support/until";
import { startWaypost } from "@/e2e/support/waypost";

const NOBODY = /^No process runs jobs: .*WAYPOST_ROLE=jobs or all/m;

it("a process that takes messages and finds none that sends them says so, and a misspelt variable is named", async () => {
  const alone = await startWaypost({ env: { WAYPOST_ROLE: "api", WAYPOST_ROLES: "all" } });
  try {
    const isSaid = () => NOBODY.test(alone.program.stdout());
    await until("it says that nobody sends", isSaid, { timeoutMs: 60_000 });
    expect(alone.program.stderr()).toContain("WAYPOST_ROLES is not a variable of Waypost");
    expect(alone.program.stderr()).toContain("Did you mean WAYPOST_ROLE?");
  } finally {
    await alone.stop();
  }
});
