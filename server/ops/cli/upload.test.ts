import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import type { Context } from "@/server/core/context";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let commands: CommandWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  commands = await openCommands(world.database.url);
});
afterAll(async () => {
  await commands.close();
  await world.close();
});

async function upload(name: string, bytes: Uint8Array, ...options: string[]) {
  const file = path.join(commands.directory, name);
  await writeFile(file, bytes);
  return run(file, ...options);
}

const run = (file: string, ...options: string[]) =>
  commands.waypost("upload", "create", file, "--org", ctx.actor.organizationId, ...options);

test("a file is taken in under its own name, and answered as the public API answers", async () => {
  const { code, stdout, stderr } = await upload("Karte.png", SAMPLES.png, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const answer = JSON.parse(stdout);
  expect(answer).toEqual({
    storage_key: expect.stringMatching(/^upl_/),
    mime_type: "image/png",
    size: SAMPLES.png.length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  const [row] = await world.database.sql<{ id: string; filename: string }[]>`
    select id, filename from uploads
    where storage_key = ${answer.storage_key} and organization_id = ${ctx.actor.organizationId}`;
  expect(row?.filename).toBe("Karte.png");
  expect(await readFile(path.join(commands.directory, "uploads", "kept", row?.id ?? ""))).toEqual(
    SAMPLES.png,
  );
});

test("a file has the name and type that are given, and a person is told the key", async () => {
  const { code, stdout } = await upload("a", SAMPLES.text, "--type", "text/plain", "--filename", "Liste.txt");
  expect(code).toBe(0);
  const [storageKey] = /^upl_\w+/.exec(stdout) ?? [];
  const [row] = await world.database
    .sql`select filename, mime_type from uploads where storage_key = ${storageKey ?? ""}`;
  expect(row).toEqual({ filename: "Liste.txt", mime_type: "text/plain" });
});

test.each<[string, () => Promise<{ code: number | null; stderr: string }>, RegExp]>([
  ["no file", () => run(path.join(commands.directory, "nothing")), /isn't a readable file/],
  ["a directory", () => run(commands.directory), /isn't a readable file/],
  ["a type that isn't its own", () => upload("b", SAMPLES.pdf, "--type", "image/png"), /invalid_media/],
])("%s is refused in words, with exit code 1", async (_, command, words) => {
  const { code, stderr } = await command();
  expect(code).toBe(1);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/\n\s+at /);
});
