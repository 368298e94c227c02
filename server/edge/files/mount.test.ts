import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestBrowser } from "@/server/domain/auth/testing";
import { fetchDueFile } from "@/server/domain/customer-files/fetch";
import {
  givingBytes,
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  startMediaHost,
} from "@/server/domain/customer-files/testing";
import { createMember } from "@/server/domain/members/create";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { openConversation, queueImage } from "@/server/domain/messages/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { filesMount } from "./mount";

const PASSWORD = "correct horse battery";
const OWN_PAGE = { origin: "http://localhost", host: "localhost" };

let world: TestWorld;
let host: MediaHost;
let number = 0;

beforeAll(async () => {
  world = await openTestWorld();
  host = await startMediaHost();
});
afterAll(async () => {
  await host.close();
  await world.close();
});

/** A signed-in agent of a new organization. */
async function newAgent() {
  const { ctx, channelId } = await openFilesOrganization(world, host);
  const email = `file-agent-${++number}@example.com`;
  await createMember({ ctx, input: { email, name: "Eve", password: PASSWORD, role: "agent" } });
  const browser = createTestBrowser(world.services);
  await browser.ask("/sign-in/email", { email, password: PASSWORD });
  const mount = filesMount(ctx.services);
  const ask = (path: string, init: RequestInit = {}, organization = ctx.actor.organizationId) => {
    const headers = new Headers({ cookie: browser.cookie(), ...Object(init.headers) });
    return mount(
      new Request(`http://localhost/api/files${path}?organization=${organization}`, { ...init, headers }),
      null,
    );
  };
  /** Receives and fetches a file with these bytes. @returns its message's id. */
  const fileOf = async (bytes: Uint8Array, filename?: string) => {
    host.serve(givingBytes(bytes));
    const { messageId, fileId } = await receiveFile(ctx, channelId, {
      type: "document",
      media: { filename },
    });
    await fetchDueFile(ctx.services, fileId);
    return messageId;
  };
  /** Sends a picture. @returns its message's id. */
  const sentPicture = async () => queueImage(ctx, (await openConversation(ctx, channelId)).threadId);
  return { ctx, ask, fileOf, sentPicture };
}

async function errorOf(answer: Response) {
  const { error } = await answer.json();
  return { status: answer.status, code: error.code };
}

test.each(["received", "sent"])(
  "a %s picture is shown, and nobody keeps it on the way",
  async (direction) => {
    const { ask, fileOf, sentPicture } = await newAgent();
    const id = direction === "sent" ? await sentPicture() : await fileOf(SAMPLES.png);
    const answer = await ask(`/${id}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(SAMPLES.png.length),
      "content-disposition": `inline; filename="${id}.png"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(SAMPLES.png);
  },
);

test.each([
  { what: "a page", bytes: Buffer.from("<html><script>alert(1)</script>"), type: "text/plain" },
  {
    what: "a vector image",
    bytes: Buffer.from('<?xml version="1.0"?><svg onload="x()"/>'),
    type: "application/octet-stream",
  },
  { what: "a program", bytes: SAMPLES.executable, type: "application/octet-stream" },
  { what: "a PDF", bytes: SAMPLES.pdf, type: "application/pdf" },
])("$what is saved and never shown, whatever its name", async ({ bytes, type }) => {
  const { ask, fileOf } = await newAgent();
  const answer = await ask(`/${await fileOf(bytes, 'Bild "ü".png')}`);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="Bild ___.png"; filename*=UTF-8''Bild%20%22%C3%BC%22.png`,
  );
});

test("only members of the organization get a file, and only by a known id", async () => {
  const { ask, fileOf, sentPicture, ctx } = await newAgent();
  const id = await fileOf(SAMPLES.png);
  const stranger = await newAgent();
  for (const foreign of [id, await sentPicture()])
    expect(await errorOf(await stranger.ask(`/${foreign}`))).toEqual({
      status: 404,
      code: "media_not_found",
    });
  expect(await errorOf(await stranger.ask(`/${id}`, {}, ctx.actor.organizationId))).toMatchObject({
    code: "organization_not_found",
  });
  expect(await errorOf(await ask(`/${id}`, { headers: { cookie: "" } }))).toMatchObject({
    code: "not_signed_in",
  });
  expect(await errorOf(await ask("/nothing"))).toMatchObject({ code: "media_not_found" });
  expect(await errorOf(await ask(""))).toMatchObject({ code: "method_not_allowed" });
});

test("a member's file is taken as an upload, from a page of this server only", async () => {
  const { ask } = await newAgent();
  const post = (headers: object) =>
    ask("", {
      method: "POST",
      body: new Uint8Array(SAMPLES.png),
      headers: { "content-type": "image/png", ...headers },
    });
  const answer = await post(OWN_PAGE);
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({
    storage_key: expect.stringMatching(/^upl_/),
    mime_type: "image/png",
  });
  for (const headers of [{}, { ...OWN_PAGE, origin: "https://evil.example" }])
    expect(await errorOf(await post(headers))).toMatchObject({ code: "cross_site_request" });
  expect(await errorOf(await post({ ...OWN_PAGE, "content-type": "audio/mpeg" }))).toMatchObject({
    code: "invalid_media",
  });
  expect(await errorOf(await post({ ...OWN_PAGE, "content-length": String(10 ** 10) }))).toMatchObject({
    code: "payload_too_large",
  });
});

test("a reader who leaves closes the file", async () => {
  const { ask, fileOf } = await newAgent();
  const answer = await ask(`/${await fileOf(Buffer.alloc(1_000_000, "a"))}`);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect((await reader?.read())?.done).toBe(true);
});
