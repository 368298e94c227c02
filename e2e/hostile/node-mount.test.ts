import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breakages, type Breakage, problemsWhileBroken } from "./broken-database";
import { playCampaign, type Report } from "./campaign";
import { hostileSettings } from "./settings";
import { startSlowClients } from "./slow";
import { type HostileWorld, openHostileWorld } from "./world";

const CAMPAIGN_MS_MAX = 4 * 3_600_000;
const { cases, seed } = hostileSettings(6_000);
const MEBIBYTE = 1024 * 1024;
/** What lies around after as many requests as one likes; what is sent in between is more than twice as much. */
const GROWTH_BYTES_MAX = { used: 6 * MEBIBYTE, resident: 160 * MEBIBYTE } as const;

let world: HostileWorld;
beforeAll(async () => void (world = await openHostileWorld("node")));
afterAll(() => world?.close());

describe(`of ${cases} hostile requests (HOSTILE_SEED=${seed})`, () => {
  let report: Report;
  let problemsOfSlow: readonly string[];
  beforeAll(async () => {
    const slow = await startSlowClients(world);
    report = await playCampaign(world, {
      seed,
      cases,
      told: (line) => process.stderr.write(`hostile: ${line}\n`),
    });
    problemsOfSlow = await slow.done;
  }, CAMPAIGN_MS_MAX);

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

  it("none leaves anything behind in the server's memory", () => {
    const { before, after } = report.memory;
    expect(after.usedBytes - before.usedBytes).toBeLessThan(GROWTH_BYTES_MAX.used);
    expect(after.residentBytes - before.residentBytes).toBeLessThan(GROWTH_BYTES_MAX.resident);
  });

  it("none gets the key into the log", () => {
    expect(world.processes.server().output()).not.toContain(world.secret);
  });
});

describe("with a database that is broken, the server says so in constant words, and works once it is whole", () => {
  it.for<Breakage>(breakages)("$name", async (breakage) => {
    expect(await problemsWhileBroken(world, breakage)).toEqual([]);
  });
});
