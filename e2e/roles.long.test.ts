import { expect, it } from "vitest";
import { until } from "@/e2e/support/until";
import { startWaypost } from "@/e2e/support/waypost";

const NOBODY = /^No process runs jobs: .*WAYPOST_ROLE=jobs or all/m;

it("a process that takes messages and finds none that sends them says so", async () => {
  const alone = await startWaypost({ env: { WAYPOST_ROLE: "api" } });
  try {
    const isSaid = () => NOBODY.test(alone.program.stdout());
    await until("it says that nobody sends", isSaid);
    expect(alone.program.isRunning()).toBe(true);
  } finally {
    await alone.stop();
  }
});
