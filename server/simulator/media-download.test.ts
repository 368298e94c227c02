import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { expect, test } from "vitest";
import type { Simulator } from "./start";
import {
  call,
  numberFor,
  phoneNumberId,
  putNumbers,
  startForTest,
  startWithReceiver,
  type Receiver,
} from "./testing";

const authorization = "Bearer token-of-the-test";
const picture = Buffer.from("\x89PNG\r\n\x1a\n of a test", "latin1");

async function upload(simulator: Simulator, bytes = picture, type = "image/png"): Promise<string> {
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new Blob([Uint8Array.from(bytes)], { type }), "file");
  const response = await fetch(`${simulator.url}/v24.0/${phoneNumberId}/media`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  return ((await response.json()) as { id: string }).id;
}

async function describe(simulator: Simulator, id: string): Promise<{ url: string; sha256: string }> {
  const { status, body } = await call(simulator, "GET", `/v24.0/${id}`, undefined, { authorization });
  expect(status).toBe(200);
  return body as { url: string; sha256: string };
}

const statusOfDownload = async (url: string, headers: Record<string, string> = { authorization }) =>
  (await fetch(url, { headers })).status;

/** Sends a customer's message, and returns its content in the callback. */
async function written(simulator: Simulator, receiver: Receiver, message: object) {
  const before = receiver.posts.length;
  const inbound = { phone_number_id: phoneNumberId, from: "4915112345678", ...message };
  const answer = await call(simulator, "POST", "/simulator/inbound", inbound);
  expect(answer).toMatchObject({ status: 200 });
  await expect.poll(() => receiver.posts.length).toBe(before + 1);
  const post = receiver.posts.at(-1)?.values[0]?.messages?.[0] as unknown as Record<string, unknown>;
  return post[String(post.type)] as { id: string; mime_type: string; sha256: string };
}

test("the URL of an upload returns its bytes, also after a restart", async () => {
  const { simulator, directory } = await startWithReceiver();
  const id = await upload(simulator);
  await simulator.stop();
  const again = await startForTest(directory);
  const { url, sha256 } = await describe(again, id);
  const response = await fetch(url, { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes).toEqual(picture);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
});

test("a URL needs the number's own token, and is valid for five minutes", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const other = { phone_number_id: "222", access_token: "token-2", app_secret: "another" };
  await putNumbers(simulator, [numberFor(receiver.url, other)]);
  const { url } = await describe(simulator, await upload(simulator));
  expect(await statusOfDownload(url, {})).toBe(401);
  expect(await statusOfDownload(url, { authorization: "Bearer wrong" })).toBe(401);
  expect(await statusOfDownload(url, { authorization: "Bearer token-2" })).toBe(404);
  expect(await statusOfDownload(url.replace(/hash=.{4}/, "hash=AAAA"))).toBe(404);
  expect(await statusOfDownload(url.replace(/ext=\d/, "ext=9"))).toBe(404);
  await call(simulator, "POST", "/clock", { advance: "4m" });
  expect(await statusOfDownload(url)).toBe(200);
  await call(simulator, "POST", "/clock", { advance: "1m1s" });
  expect(await statusOfDownload(url)).toBe(404);
});

test("a deleted upload has no bytes, and a refused one leaves none", async () => {
  const { simulator, directory } = await startWithReceiver();
  const id = await upload(simulator);
  const { url } = await describe(simulator, id);
  expect(await readdir(join(directory, "media"))).toEqual([id]);
  await call(simulator, "DELETE", `/v24.0/${id}`, undefined, { authorization });
  expect(await statusOfDownload(url)).toBe(404);
  await upload(simulator, Buffer.alloc(6 * 1024 * 1024));
  await upload(simulator, picture, "application/zip");
  await expect.poll(() => readdir(join(directory, "media"))).toEqual([]);
});

test("the bytes of expired media are deleted at the next start", async () => {
  const { simulator, directory } = await startWithReceiver();
  await upload(simulator);
  await call(simulator, "POST", "/clock", { advance: "31d" });
  await simulator.stop();
  await startForTest(directory);
  expect(await readdir(join(directory, "media"))).toEqual([]);
});

test.each([
  ["image", "image/jpeg"],
  ["audio", "audio/ogg; codecs=opus"],
  ["video", "video/mp4"],
  ["document", "application/pdf"],
  ["sticker", "image/webp"],
])("a customer's %s can be downloaded for seven days: a file of %s", async (type, mimeType) => {
  const { simulator, receiver } = await startWithReceiver();
  const { id, mime_type, sha256 } = await written(simulator, receiver, { type, [type]: {} });
  expect(mime_type).toBe(mimeType);
  const { url } = await describe(simulator, id);
  const response = await fetch(url, { headers: { authorization } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect((await fileTypeFromBuffer(bytes))?.mime).toBe(mimeType);
  expect(createHash("sha256").update(bytes).digest("base64")).toBe(sha256);
  await call(simulator, "POST", "/clock", { advance: "8d" });
  expect((await call(simulator, "GET", `/v24.0/${id}`, undefined, { authorization })).status).toBe(400);
});

test("a customer can send the bytes of the test, or an upload", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const image = { mime_type: "image/png", caption: "A" };
  const file = picture.toString("base64");
  const id = await upload(simulator);
  const contents = [
    await written(simulator, receiver, { type: "image", image, file }),
    await written(simulator, receiver, { type: "image", image: { id } }),
  ];
  const sha256 = createHash("sha256").update(picture).digest("base64");
  expect(contents).toMatchObject([
    { ...image, sha256 },
    { id, mime_type: "image/png", sha256 },
  ]);
  for (const content of contents) {
    const { url } = await describe(simulator, content.id);
    const response = await fetch(url, { headers: { authorization } });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
  }
});

test("an id that is no upload reaches the callback as it is, and a hash too", async () => {
  const { simulator, receiver } = await startWithReceiver();
  for (const image of [
    { id: null },
    { id: "unknown" },
    { id: 7, sha256: "of the test" },
    { sha256: "other" },
  ])
    expect(await written(simulator, receiver, { type: "image", image })).toMatchObject(image);
});

test.each([
  ["text", { text: { body: "Hi" }, file: "AAAA" }],
  ["image by id", { type: "image", image: { id: "1" }, file: "AAAA" }],
  ["image in broken base64", { type: "image", image: {}, file: "AAA" }],
])("a file is refused with a %s", async (_, message) => {
  const { simulator } = await startWithReceiver();
  const inbound = { phone_number_id: phoneNumberId, from: "4915112345678", ...message };
  const answer = await call(simulator, "POST", "/simulator/inbound", inbound);
  expect(answer).toMatchObject({ status: 400, body: { error: { field: "file" } } });
});

test("a media type that is no header value is downloaded as bytes", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const document = { mime_type: "text/plain\r\nx: 1" };
  const { id } = await written(simulator, receiver, { type: "document", document });
  const response = await fetch((await describe(simulator, id)).url, { headers: { authorization } });
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
  expect(await response.text()).toBe("Hello\n");
});
