import { createServer, type RequestListener } from "node:http";
import { onTestFinished, expect, test } from "vitest";
import { call, send, startWithReceiver } from "./testing";

const JPEG = { "content-type": "image/jpeg" };

/** A file server, whose requests are counted. */
async function serve(answer: RequestListener): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  return { url: `http://127.0.0.1:${address.port}/file`, requests: () => requests };
}

const messageWith = (type: string, media: object) => ({
  messaging_product: "whatsapp",
  to: "4915112345678",
  type,
  [type]: media,
});

/** Sends the message, and returns its last status, or the code of its error with its details. */
async function lastStatusOf(message: object, hosts?: readonly string[]): Promise<unknown> {
  const last = await endOf(message, hosts);
  return last?.errors?.[0]?.code ?? last?.status;
}

async function endOf(message: object, hosts?: readonly string[]) {
  const { simulator, receiver } = await startWithReceiver();
  if (hosts) await call(simulator, "PUT", "/simulator/media-hosts", { hosts });
  expect((await send(simulator, message)).status).toBe(200);
  await expect.poll(() => receiver.statuses().at(-1)?.status).toMatch(/^(read|failed)$/);
  return receiver.statuses().at(-1);
}

const withoutEnd: RequestListener = (_, response) => {
  response.writeHead(200, JPEG);
  const more = () => {
    while (response.write(Buffer.alloc(64 * 1024)));
  };
  response.on("drain", more);
  more();
};

const FILES: readonly { what: string; answer: RequestListener; type?: string; comesTo: unknown }[] = [
  { what: "an image", answer: (_, response) => response.writeHead(200, JPEG).end("x"), comesTo: "read" },
  {
    what: "an image behind a redirect",
    answer: (request, response) =>
      request.url === "/file"
        ? response.writeHead(302, { location: "/other" }).end()
        : response.writeHead(200, JPEG).end("x"),
    comesTo: "read",
  },
  {
    what: "any file as a document",
    answer: (_, response) => response.writeHead(200, { "content-type": "application/zip" }).end("x"),
    type: "document",
    comesTo: "read",
  },
  { what: "a missing file", answer: (_, response) => response.writeHead(404).end(), comesTo: 131052 },
  {
    what: "redirects without end",
    answer: (_, response) => response.writeHead(302, { location: "/file" }).end(),
    comesTo: 131052,
  },
  { what: "a broken connection", answer: (request) => request.socket.destroy(), comesTo: 131052 },
  {
    what: "a page",
    answer: (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    comesTo: 131053,
  },
  {
    what: "a page that claims to be an image",
    answer: (_, response) => response.writeHead(200, JPEG).end("<!DOCTYPE html><html><body>Not found</body>"),
    comesTo: 131053,
  },
  {
    what: "a PDF that claims to be an image",
    answer: (_, response) => response.writeHead(200, JPEG).end("%PDF-1.4\n"),
    comesTo: 131053,
  },
  {
    what: "a picture under the type of another",
    answer: (_, response) => response.writeHead(200, JPEG).end(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
    comesTo: "read",
  },
  { what: "an empty file", answer: (_, response) => response.writeHead(200, JPEG).end(), comesTo: 131053 },
  { what: "a file without end", answer: withoutEnd, comesTo: 131053 },
];

test.each(FILES)("$what comes to $comesTo", async ({ answer, type = "image", comesTo }) => {
  const { url } = await serve(answer);
  expect(await lastStatusOf(messageWith(type, { link: url }))).toBe(comesTo);
});

test("a server that never answers fails the message after five seconds", async () => {
  const { url } = await serve(() => undefined);
  const startedAtMs = performance.now();
  expect(await lastStatusOf(messageWith("image", { link: url }))).toBe(131052);
  expect(performance.now() - startedAtMs).toBeGreaterThan(4_500);
});

const DETAILS: readonly { answer: RequestListener; details: RegExp }[] = [
  {
    answer: (_, response) => response.writeHead(404).end(),
    details: /http code 404, status message Not Found$/,
  },
  {
    answer: (_, response) => response.writeHead(503).end(),
    details: /http code 503, status message Service/,
  },
  {
    answer: (_, response) => response.writeHead(302, { location: "/file" }).end(),
    details: /failed: more than 3 redirects$/,
  },
  { answer: (request) => request.socket.destroy(), details: /failed: no connection$/ },
  { answer: () => undefined, details: /failed: no whole answer within 5 seconds$/ },
];

test.each(DETAILS)("a failed download says why: $details", async ({ answer, details }) => {
  const { url } = await serve(answer);
  const end = await endOf(messageWith("image", { link: url }));
  expect(end?.errors?.[0]).toMatchObject({
    code: 131052,
    error_data: { details: expect.stringMatching(details) },
  });
});

test("a host may be given with its port", async () => {
  const { url, requests } = await serve((_, response) => response.writeHead(404).end());
  const { host, port } = new URL(url);
  expect(await lastStatusOf(messageWith("image", { link: url }), [host])).toBe(131052);
  expect(requests()).toBe(1);
  expect(await lastStatusOf(messageWith("image", { link: url }), [`127.0.0.1:${Number(port) - 1}`])).toBe(
    "read",
  );
  expect(requests()).toBe(1);
});

test.each([
  "http://files.example.com",
  "files.example.com/a",
  "*.example.com",
  "files.example.com:",
  "files.example.com:0",
  "files.example.com:65536",
  "files.example.com:http",
  "user@files.example.com",
  "two hosts",
  "",
])("a host such as %j is refused", async (name) => {
  const { simulator } = await startWithReceiver();
  const answer = await call(simulator, "PUT", "/simulator/media-hosts", { hosts: [name] });
  expect(answer).toMatchObject({ status: 400, body: { error: { field: "hosts.0" } } });
});

test.each(["::1", "[::1]", "[::1]:4000", "Files.example.com:443", "127.0.0.1", "*"])(
  "a host such as %j is taken",
  async (name) => {
    const { simulator } = await startWithReceiver();
    const answer = await call(simulator, "PUT", "/simulator/media-hosts", { hosts: [name] });
    expect(answer).toEqual({ status: 200, body: { hosts: [name.toLowerCase()] } });
  },
);

test("files of other hosts are not downloaded, and count as valid", async () => {
  const { url, requests } = await serve((_, response) => response.writeHead(404).end());
  expect(await lastStatusOf(messageWith("image", { link: url }), ["files.example.com"])).toBe("read");
  expect(await lastStatusOf(messageWith("image", { link: "https://files.example.com/a.jpg" }))).toBe("read");
  expect(requests()).toBe(0);
  expect(await lastStatusOf(messageWith("image", { link: url }), ["*"])).toBe(131052);
});

test("a redirect to another host is not followed", async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(302, { location: "https://files.example.com/a.jpg" }).end(),
  );
  expect(await lastStatusOf(messageWith("image", { link: url }))).toBe("read");
});

test("nothing is downloaded for a caller with another token", async () => {
  const { url, requests } = await serve((_, response) => response.writeHead(200, JPEG).end("x"));
  const { simulator } = await startWithReceiver();
  const refused = await send(simulator, messageWith("image", { link: url }), { token: "another" });
  expect(refused.status).toBe(401);
  expect(requests()).toBe(0);
});

test("a redirect to anything but http and https fails the message", async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(302, { location: "file:///etc/hostname" }).end(),
  );
  expect(await lastStatusOf(messageWith("image", { link: url }), ["*"])).toBe(131052);
});
