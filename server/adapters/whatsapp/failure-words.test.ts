import { connect, createServer, type Socket } from "node:net";
import { request } from "undici";
import { afterEach, expect, test } from "vitest";
import { failureWords } from "./failure-words";

let close: (() => void) | undefined;
afterEach(() => {
  close?.();
  close = undefined;
});

/** Returns the URL of a server on loopback that does this with each connection. */
async function listen(act: (socket: Socket) => void): Promise<string> {
  const server = createServer(act);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  close = () => server.close();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}/`;
}

/** Returns the words for the failed call of this URL. */
const wordsAfter = (url: string, signal?: AbortSignal) =>
  request(url, signal === undefined ? {} : { signal }).then(
    () => "answered",
    (error: unknown) => failureWords(error),
  );

test("a connection that is closed without a response", async () => {
  const url = await listen((socket) => socket.once("data", () => socket.end()));
  expect(await wordsAfter(url)).toBe(
    "the connection was closed before the response was complete (UND_ERR_SOCKET)",
  );
});

test("a port where nothing listens", async () => {
  const url = await listen(() => undefined);
  close?.();
  await new Promise((refused) => connect(Number(new URL(url).port), "127.0.0.1").once("error", refused));
  expect(await wordsAfter(url)).toBe("no connection (ECONNREFUSED)");
});

test("a response that isn't HTTP", async () => {
  const url = await listen((socket) => socket.once("data", () => socket.end("SSH-2.0\r\n\r\n")));
  expect(await wordsAfter(url)).toBe("the response isn't valid HTTP (HTTPParserError)");
});

test("a response that doesn't arrive in time", async () => {
  const url = await listen((socket) => void socket.resume());
  expect(await wordsAfter(url, AbortSignal.timeout(50))).toBe("no response in time");
});

const withCode = (code: string) => Object.assign(new Error("at 10.0.0.1 with a token"), { code });

test.each<[string, unknown, string]>([
  [
    "a cause",
    new TypeError("fetch failed", { cause: withCode("ENOTFOUND") }),
    "the host name has no IP address (ENOTFOUND)",
  ],
  ["a certificate", withCode("CERT_NOT_YET_VALID"), "the TLS connection failed (CERT_NOT_YET_VALID)"],
  ["an unknown code", withCode("ENEW"), "the call failed (ENEW)"],
  ["an error without a code", new RangeError("at 10.0.0.1 with a token"), "the call failed (RangeError)"],
  ["what is no error", "10.0.0.1", "the call failed"],
])("%s is described without the error's own message", (_, error, words) => {
  expect(failureWords(error)).toBe(words);
});
