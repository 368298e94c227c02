import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY } from "@/e2e/support/program";
import { misclassified } from "./cases";
import { openVerifyingWorld, type VerifyingWorld } from "./world";

let world: VerifyingWorld;

beforeAll(async () => void (world = await openVerifyingWorld()));
afterAll(() => world?.close());

test("the Python on the page tells genuine webhooks from others", async () => {
  await writeFile(join(world.directory, "verify.py"), world.sample("python"));
  const driver = join(world.directory, "drive.py");
  await writeFile(
    driver,
    `import json, sys
from verify import is_genuine
with open(sys.argv[1], encoding="utf8") as file:
  cases = json.load(file)
print(json.dumps([is_genuine(one["secret"], one["headers"], one["body"].encode()) for one in cases]))
`,
  );
  const run = (file: string) => execFileSync("python3", [driver, file], { encoding: "utf8" });
  expect(await misclassified(world, run)).toEqual([]);
});

test("the OpenSSL command on the page makes the signatures under each of the secrets", async () => {
  const { headers, body, secrets } = world.delivered;
  const signatures = headers["webhook-signature"]?.split(" ");
  const [ofFormer, ofPresent, ofAnother] = await Promise.all([
    signatureByShell(secrets[0], body),
    signatureByShell(secrets[1], body),
    signatureByShell(secrets[1], `${body} `),
  ]);
  expect(signatures).toEqual([ofPresent, ofFormer]);
  expect(signatures).not.toContain(ofAnother);
});

async function signatureByShell(secret: string, body: string): Promise<string> {
  const cwd = await mkdtemp(join(world.directory, "shell-"));
  await writeFile(join(cwd, "body.json"), body);
  const { "webhook-id": id, "webhook-timestamp": timestamp } = world.delivered.headers;
  const env = { ...process.env, WEBHOOK_SECRET: secret, WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: timestamp };
  return execFileSync("sh", ["-ec", world.sample("openssl")], { cwd, env, encoding: "utf8" });
}

test("what is signed and posted from a shell is taken by the program, and refused with another secret", async () => {
  const { delivered, directory, port, sample, startReceiver } = world;
  const [, secret] = delivered.secrets;
  const curl = join(directory, "curl");
  await writeFile(curl, `#!/bin/sh\nexec node "${REPOSITORY}/e2e/support/curl.mjs" "$@"\n`);
  await chmod(curl, 0o755);
  const receiver = await startReceiver(secret);
  const postWith = (WEBHOOK_SECRET: string) => {
    const PATH = `${directory}${delimiter}${process.env.PATH ?? ""}`;
    const env = { ...process.env, PATH, RECEIVER_URL: `http://127.0.0.1:${port}/`, WEBHOOK_SECRET };
    return text(spawn("sh", ["-ec", sample("post")], { env, stdio: ["ignore", "pipe", "inherit"] }).stdout);
  };
  expect(await postWith(secret)).toContain(" 204 ");
  expect(
    await postWith(secret.replace(/^whsec_./, (begin) => (begin.endsWith("A") ? "whsec_B" : "whsec_A"))),
  ).toContain(" 401 ");
  await receiver.end();
});

test("the TypeScript is without an error under strict rules", async () => {
  const names = ["receiver", "typescript"];
  const files = names.map((name) => join(world.directory, `${name}.ts`));
  await Promise.all(names.map((name, place) => writeFile(files[place] ?? "", world.sample(name))));
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [join(REPOSITORY, "node_modules", "@types")],
  });
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(faults).toEqual([]);
});
