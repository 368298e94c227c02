import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Simulator } from "./start";
import {
  call,
  ledgerOf,
  numberFor,
  phoneNumberId,
  putNumbers,
  send,
  startForTest,
  startWithReceiver,
  textMessage,
  type Answer,
} from "./testing";

const to = "4915112345678";
const authorization = "Bearer token-of-the-test";
const picture = Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\n--not a boundary--", "latin1"));

interface Upload {
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly numberId?: string;
}

async function upload(simulator: Simulator, options: Upload = {}): Promise<Answer> {
  const { bytes = picture, type = "image/png", fields = { messaging_product: "whatsapp" } } = options;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([bytes], { type }), "file");
  const response = await fetch(`${simulator.url}/v24.0/${options.numberId ?? phoneNumberId}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${options.token ?? "token-of-the-test"}` },
    body: form,
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

async function uploaded(simulator: Simulator, options: Upload = {}): Promise<string> {
  const { status, body } = await upload(simulator, options);
  expect(status).toBe(200);
  return (body as { id: string }).id;
}

function sendMedia(
  simulator: Simulator,
  type: string,
  id: string,
  numberId = phoneNumberId,
): Promise<Answer> {
  return send(simulator, { ...textMessage(to), type, [type]: { id } }, { numberId });
}

function getMedia(simulator: Simulator, id: string): Promise<Answer> {
  return call(simulator, "GET", `/v24.0/${id}`, undefined, { authorization });
}

test("an upload's id describes it, can be sent, and outlives a restart", async () => {
  const { simulator, directory } = await startWithReceiver();
  const id = await uploaded(simulator);
  expect(id).toMatch(/^[0-9]{15}$/);
  await simulator.stop();
  const again = await startForTest(directory);
  expect(await getMedia(again, id)).toEqual({
    status: 200,
    body: {
      messaging_product: "whatsapp",
      id,
      url: expect.stringMatching(/^http:\/\//),
      mime_type: "image/png",
      sha256: createHash("sha256").update(picture).digest("hex"),
      file_size: picture.length,
    },
  });
  expect((await sendMedia(again, "image", id)).status).toBe(200);
  expect((await ledgerOf(again)).messages).toMatchObject([{ type: "image", body: { id } }]);
  expect(await readFile(join(directory, "media.jsonl"), "latin1")).not.toContain("boundary");
});

test("the type may stand in the field alone", async () => {
  const { simulator } = await startWithReceiver();
  const fields = { messaging_product: "whatsapp", type: "audio/ogg; codecs=opus" };
  const id = await uploaded(simulator, { type: "application/octet-stream", fields });
  expect((await getMedia(simulator, id)).body).toMatchObject({ mime_type: "audio/ogg" });
  expect((await sendMedia(simulator, "audio", id)).status).toBe(200);
});

const refusedFiles: readonly { what: string; options: Upload; code: number }[] = [
  { what: "of a foreign type", options: { type: "application/zip" }, code: 100 },
  { what: "that is empty", options: { bytes: new Uint8Array(0) }, code: 131053 },
  {
    what: "beyond its type's size",
    options: { bytes: new Uint8Array(5 * 1024 * 1024 + 1) },
    code: 131053,
  },
  { what: "without messaging_product", options: { fields: {} }, code: 100 },
  {
    what: "with an endless field",
    options: { fields: { messaging_product: "whatsapp", type: "x".repeat(2000) } },
    code: 100,
  },
];

test.each(refusedFiles)("a file $what is refused", async ({ options, code }) => {
  const { simulator } = await startWithReceiver();
  expect(await upload(simulator, options)).toMatchObject({ status: 400, body: { error: { code } } });
});

test("the largest picture is taken", async () => {
  const { simulator } = await startWithReceiver();
  expect((await upload(simulator, { bytes: new Uint8Array(5 * 1024 * 1024) })).status).toBe(200);
});

test.each([
  { what: "is no form", contentType: "application/json", body: "{}" },
  { what: "ends before its last boundary", contentType: "multipart/form-data; boundary=b", body: "--b\r\n" },
  {
    what: "has no file",
    contentType: "multipart/form-data; boundary=b",
    body: '--b\r\ncontent-disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp\r\n--b--',
  },
])("a body that $what is refused, and the simulator goes on", async ({ contentType, body }) => {
  const { simulator } = await startWithReceiver();
  const headers = { authorization, "content-type": contentType };
  const answer = await call(simulator, "POST", `/v24.0/${phoneNumberId}/media`, body, headers);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  expect((await upload(simulator)).status).toBe(200);
});

test("the token of another number neither uploads nor sees nor removes", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [
    numberFor(receiver.url, { phone_number_id: "222", access_token: "token-2", waba_id: "777" }),
  ]);
  const id = await uploaded(simulator);
  const hidden = { status: 400, body: { error: { code: 100, error_subcode: 33 } } };
  expect(await upload(simulator, { token: "token-2" })).toMatchObject(hidden);
  for (const method of ["GET", "DELETE"]) {
    const headers = { authorization: "Bearer token-2" };
    expect(await call(simulator, method, `/v24.0/${id}`, undefined, headers)).toMatchObject(hidden);
  }
  expect((await getMedia(simulator, id)).status).toBe(200);
  expect(await upload(simulator, { token: "wrong" })).toMatchObject({ status: 401 });
});

test("an id that is unknown, of another number, of another kind, forgotten or expired can't be sent", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [numberFor(receiver.url, { phone_number_id: "222" })]);
  const refused = { status: 400, body: { error: { code: 131053 } } };
  const id = await uploaded(simulator);
  expect(await sendMedia(simulator, "image", "123456789012345")).toMatchObject(refused);
  expect(await sendMedia(simulator, "image", id, "222")).toMatchObject(refused);
  expect(await sendMedia(simulator, "video", id)).toMatchObject(refused);
  expect((await sendMedia(simulator, "document", id)).status).toBe(200);

  expect((await call(simulator, "DELETE", `/simulator/media/${id}`)).status).toBe(200);
  expect((await call(simulator, "DELETE", `/simulator/media/${id}`)).status).toBe(404);
  expect(await sendMedia(simulator, "image", id)).toMatchObject(refused);
  expect(await getMedia(simulator, id)).toMatchObject({ body: { error: { code: 100, error_subcode: 33 } } });

  const another = await uploaded(simulator);
  const monthMs = 30 * 24 * 60 * 60 * 1000;
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + monthMs);
  onTestFinished(() => clock.mockRestore());
  expect(await sendMedia(simulator, "image", another)).toMatchObject(refused);
});

test("a refusal of the caller is heard also in the middle of a large upload", async () => {
  const { simulator } = await startWithReceiver();
  const answer = await upload(simulator, { token: "wrong", bytes: new Uint8Array(16 * 1024 * 1024) });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 190 } } });
});

test("its own token removes an upload", async () => {
  const { simulator } = await startWithReceiver();
  const id = await uploaded(simulator);
  const answer = await call(simulator, "DELETE", `/v24.0/${id}`, undefined, { authorization });
  expect(answer).toEqual({ status: 200, body: { success: true } });
  expect(await sendMedia(simulator, "image", id)).toMatchObject({ body: { error: { code: 131053 } } });
});
