import { describeScenarios } from "./scenarios";
import { testWebhooks } from "./webhooks";
import { openJobsWorld } from "./world";

const engine = describeScenarios(async () => {
  const world = await openJobsWorld({ env: {}, jobsProcesses: 1 });
  return {
    world,
    // The process that accepts runs no jobs here, and its wake-ups reach none that does: all of them are lost always.
    losingSignals: (act) => act(),
    close: world.close,
  };
});

testWebhooks(engine);
