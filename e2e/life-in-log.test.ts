import { expect, test } from "vitest";
import { startWaypost } from "@/e2e/support/waypost";

test("the log tells the life of a process: its start, with what it is, the signal, the drain and the end, each with its time", async () => {
  const server = await startWaypost({ env: { WAYPOST_DRAIN_SECONDS: "1" } });
  const { baseUrl, pid, program } = server;
  // npm passes on what it is sent, and a terminal sends both.
  program.kill("SIGTERM");
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  const lines = program.stderr().split("\n");
  const life = lines
    .filter((line) => line.startsWith("{"))
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ level, part }) => level === "info" && part === undefined);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(life).toMatchObject([
    {
      time,
      msg: "Waypost has started",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      role: "all",
      database: "embedded",
      baseUrl,
      pid,
    },
    { time, msg: "Waypost stops", signal: "SIGTERM" },
    { time, msg: "requests are still answered for a while", drainMs: 1_000 },
    { time, msg: "Waypost has stopped", tookMs: expect.any(Number) },
  ]);
});
