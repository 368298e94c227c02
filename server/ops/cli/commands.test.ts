import { build } from "esbuild";
import path from "node:path";
import { expect, test } from "vitest";
import { describeCommands } from "./commands";

test("every command is described by its noun, verb and arguments", () => {
  const described = new Map(describeCommands().map(({ name, description }) => [name, description]));
  const expected = [
    "org list",
    "org create",
    "org set <id>",
    "member list",
    "member invite",
    "member reset-password <email>",
    "member reset-2fa <email>",
    "key create",
    "key rotate <id>",
    "key set <id>",
    "key revoke <id>",
    "key list",
    "channel list",
    "channel connect",
    "channel set <id>",
    "channel resume <id>",
    "contact erase",
    "conversation show <thread>",
    "upload create <file>",
    "webhook listen",
    "demo",
    "doctor",
  ];
  expect([...described.keys()]).toEqual(expected);
  for (const description of described.values()) expect(description).toMatch(/^[a-z].*[^.]$/);
});

test("what describes the commands reaches no embedded PostgreSQL: Next compiles it, and can't compile that", async () => {
  const { metafile } = await build({
    entryPoints: [path.join(process.cwd(), "server", "ops", "cli", "commands.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { "@": process.cwd() },
    logLevel: "silent",
  });
  const reached = Object.keys(metafile.inputs);
  expect(reached.some((file) => file.includes("server/ops/doctor/"))).toBe(true);
  expect(reached.filter((file) => file.includes("db/embedded"))).toEqual([]);
});
