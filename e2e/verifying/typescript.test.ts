import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { misclassified } from "./cases";
import { openVerifyingWorld, type VerifyingWorld } from "./world";

let world: VerifyingWorld;

beforeAll(async () => void (world = await openVerifyingWorld()));
afterAll(() => world?.close());

test("the program takes what Waypost posts, under either secret while a rotation lasts, and nothing else", async () => {
  const { newEndpoint, rotate, startReceiver, testEndpoint } = world;
  const { id, secret } = await newEndpoint();
  const former = await startReceiver(secret);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  const { secret: present } = await rotate(id);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  await former.end();
  expect(former.printed().match(/^[0-9a-f-]{36} webhook\.test/gm)).toHaveLength(2);
  const renewed = await startReceiver(present);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  await renewed.end();
  const another = await startReceiver(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
  expect(await testEndpoint(id)).toEqual({ state: "failed", http_status: 401 });
  await another.end();
});

test("the program processes an event once, and answers that it has it however often it comes", async () => {
  const { delivered, port, startReceiver } = world;
  const { body, headers, secrets } = delivered;
  const receiver = await startReceiver(secrets[1]);
  const signed = Object.entries(headers).filter(([name]) => name.startsWith("webhook-"));
  const post = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: Object.fromEntries(signed), body });
  expect([(await post()).status, (await post()).status]).toEqual([204, 204]);
  await receiver.end();
  const { id } = JSON.parse(body);
  expect(receiver.printed().match(new RegExp(`^${id} webhook\\.test`, "gm"))).toHaveLength(1);
});

test("the TypeScript on the page tells genuine webhooks from others", async () => {
  const { code } = await transform(world.sample("typescript"), { loader: "ts", format: "esm" });
  await writeFile(join(world.directory, "verify.mjs"), code);
  const driver = join(world.directory, "drive.mjs");
  await writeFile(
    driver,
    `import { readFileSync } from "node:fs";
     import { isGenuine } from "./verify.mjs";
     const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
     console.log(JSON.stringify(cases.map(({ secret, headers, body }) => isGenuine(secret, headers, Buffer.from(body)))));`,
  );
  const run = (file: string) => execFileSync(process.execPath, [driver, file], { encoding: "utf8" });
  expect(await misclassified(world, run)).toEqual([]);
});
