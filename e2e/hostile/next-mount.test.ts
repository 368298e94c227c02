import { afterAll, beforeAll, expect, it } from "vitest";
import { playCampaign } from "./campaign";
import { hostileSettings } from "./settings";
import { type HostileWorld, openHostileWorld } from "./world";

const CAMPAIGN_MS_MAX = 4 * 3_600_000;
const { cases, seed } = hostileSettings(1_000);

let world: HostileWorld;
beforeAll(async () => void (world = await openHostileWorld("next")));
afterAll(() => world?.close());

it(
  `through Next each of ${cases} hostile requests is answered as the contract has it (HOSTILE_SEED=${seed})`,
  { timeout: CAMPAIGN_MS_MAX },
  async () => {
    const told = (line: string) => process.stderr.write(`hostile: ${line}\n`);
    const { problems } = await playCampaign(world, { seed, cases, told });
    expect(problems.join("\n")).toBe("");
  },
);
