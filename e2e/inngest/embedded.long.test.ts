import { describeScenarios } from "./scenarios";
import { testWebhooks } from "./webhooks";
import { openJobsWorld } from "./world";

const engine = describeScenarios(async () => {
  const world = await openJobsWorld({ env: {}, jobsProcesses: 1 });
  return {
    world,
    // The accepting process runs no jobs here, and its wake-ups reach no process that does: all of them are always
    // lost.
    losingSignals: (act) => act(),
    close: world.close,
  };
});

testWebhooks(engine);
