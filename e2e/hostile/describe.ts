import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mount } from "@/e2e/conformance/scenario";
import { playCampaign, type Report } from "./campaign";
import type { HostileSettings } from "./settings";
import { startSlowClients } from "./slow";
import { type HostileWorld, openHostileWorld } from "./world";

/** `HOSTILE_CASES` may be in the millions. */
const CAMPAIGN_MS_MAX = 4 * 3_600_000;

/** A played campaign. */
export interface Tested {
  readonly world: () => HostileWorld;
  readonly report: () => Report;
}

/** Plays a campaign against its own server, with slow clients in parallel, and tests the results. */
export function describeCampaign(
  mount: Mount,
  { cases, seed }: HostileSettings,
  furtherTests: (tested: Tested) => void = () => undefined,
): void {
  describe(`of ${cases} hostile requests through the mount ${mount} (HOSTILE_SEED=${seed})`, () => {
    let world: HostileWorld;
    let report: Report;
    let problemsOfSlow: readonly string[];
    beforeAll(async () => {
      world = await openHostileWorld(mount);
      const slow = await startSlowClients(world);
      const reported = (line: string) => process.stderr.write(`hostile: ${line}\n`);
      report = await playCampaign(world, { seed, cases, reported });
      problemsOfSlow = await slow.done;
    }, CAMPAIGN_MS_MAX);
    afterAll(() => world?.close());

    it("each is answered as the contract has it, and what is accepted is kept whole", () => {
      expect(report.problems.join("\n")).toBe("");
    });

    it("clients that are too slow are told so, and hold up nobody", () => {
      expect(problemsOfSlow).toEqual([]);
    });

    it("enough get through to every part of the server", () => {
      const counts = [
        "a body 201",
        "a query 200",
        "a file 201",
        "a callback 200",
        "headers 200",
        "a target 404",
      ].map((name) => [name, (report.statuses.get(name) ?? 0) > cases / 2_000]);
      expect(counts.filter(([, isEnough]) => !isEnough)).toEqual([]);
    });

    it("none gets the key into the log", () => {
      expect(world.processes.server().output()).not.toContain(world.secret);
    });

    furtherTests({ world: () => world, report: () => report });
  });
}
