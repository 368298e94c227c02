import fc from "fast-check";
import { BASE_PATH } from "@/e2e/support/api";
import { type HostileCase, headBytes, requestBytes, type RequestLine } from "./case";
import { SEND_TARGET } from "./messages";
import { signedIn } from "./requests";
import type { HostileWorld } from "./world";

const PING = `${BASE_PATH}/ping`;
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Heads and bodies that HTTP forbids, as templates: `KEY` is the line with the key. */
const MALFORMED = [
  "\r\n\r\n\r\nGET PING HTTP/1.1\r\nHost: a\r\nKEYX : 1\r\n\r\n",
  "GET PING\r\n\r\n",
  "GET PING HTTP/0.9\r\n\r\n",
  "GET PING HTTP/2.0\r\nHost: a\r\n\r\n",
  "GET PING HTTP/1.9\r\nHost: a\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "get PING HTTP/1.1\r\nHost: a\r\n\r\n",
  "FOO PING HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET  PING HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET PING  HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET PING a HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET PING#a HTTP/1.1\r\nHost: a\r\nKEYConnection: close\r\n\r\n",
  "GET \0 HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET PING\x7f HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET ping HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET PING HTTP/1.1\nHost: a\nKEY\n",
  "GET PING HTTP/1.1\rHost: a\r\r",
  "GET PING HTTP/1.1\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nHost: b\r\nKEY\r\n",
  "GET PING HTTP/1.1\r\nHost: a, b\r\n\r\n",
  "GET PING HTTP/1.1\r\n: a\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost\r\n\r\n",
  "GET PING HTTP/1.1\r\n Host: a\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nKEYX: a\r\n b\r\n\tc\r\nConnection: close\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nX\0: a\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n",
  "GET PING HTTP/1.1\r\nHost: a\r\nX: \x01\x7f\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: -1\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: +2\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 2, 2\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 0x2\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 1e1\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 99999999999999999999999\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 9007199254740993\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length:\r\n\r\n{}",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.0\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n2 \r\n{}\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n3\r\n{}\r\n0\r\n\r\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n",
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
  'POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2;a=b;c="d"\r\n{}\r\n0\r\nX: y\r\n\r\n',
  `POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  `POST SEND HTTP/1.1\r\nHost: a\r\nKEYTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  "POST SEND HTTP/1.1\r\nHost: a\r\nKEYExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}",
  "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
  "CONNECT PING HTTP/1.1\r\nHost: a\r\nKEY\r\n{}",
  `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET PING?${"a=b&".repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET PING HTTP/1.1\r\nHost: a\r\n${"X: 1\r\n".repeat(5_000)}\r\n`,
  `GET PING HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  `GET PING HTTP/1.1\r\nHost: a\r\n${"a".repeat(20_000)}: b\r\n\r\n`,
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "\x80\x2e\x01\0\x02",
  "SSH-2.0-OpenSSH_9.0\r\n",
  "EHLO example.com\r\n",
  "\0\0\0\x08\x04\xd2\x16\x2f",
  "*1\r\n$4\r\nPING\r\n",
] as const;

const aMalformed = ({ secret }: HostileWorld) =>
  fc
    .constantFrom(...MALFORMED)
    .map((text) =>
      latin1(
        text
          .replaceAll("PING", PING)
          .replaceAll("SEND", SEND_TARGET)
          .replaceAll("KEY", `X-Api-Key: ${secret}\r\n`),
      ),
    );

/** Bytes that aren't HTTP, alone or after a valid request; unchanged, or with modified bytes. */
export function malformed(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const line: RequestLine = { method: "GET", target: PING };
  const good = requestBytes(line, signedIn(world));
  const changed = fc
    .tuple(
      fc.oneof(aMalformed(world), fc.constant(good)),
      fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([bytes, changes]) => {
      const copy = Buffer.from(bytes);
      for (const [part, byte] of changes) copy[Math.floor(part * copy.length)] = byte;
      return copy;
    });
  const noise = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const bytes = fc.oneof(
    { weight: 6, arbitrary: aMalformed(world) },
    { weight: 2, arbitrary: changed },
    { weight: 1, arbitrary: noise },
  );
  return fc.tuple(bytes, fc.constantFrom(0, 0, 1, 3)).map(([bad, before]): HostileCase => ({
    family: before === 0 ? "no HTTP" : "no HTTP behind requests",
    pieces: [...Array.from({ length: before }, () => good), bad],
    requests: Array.from({ length: before }, () => line),
    mustBe: 200,
    ending: "refused",
  }));
}

/** Several pipelined requests on one connection. */
export function pipelined(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const kinds = fc.constantFrom<RequestLine[]>(
    { method: "GET", target: PING },
    { method: "GET", target: `${BASE_PATH}/messages?limit=1` },
    { method: "POST", target: SEND_TARGET },
    { method: "HEAD", target: PING },
    { method: "DELETE", target: SEND_TARGET },
    { method: "GET", target: `${BASE_PATH}/nothing` },
  );
  return fc.array(kinds, { minLength: 2, maxLength: 12 }).map((requests): HostileCase => {
    const pieces = requests.map((line) =>
      requestBytes(line, signedIn(world), line.method === "POST" ? Buffer.from("{}") : null),
    );
    return { family: "pipelined", pieces: [Buffer.concat(pieces)], requests, ending: "each" };
  });
}

/** Clients that disconnect in the middle, and upgrade offers that nobody accepts. */
export function oddities(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const line: RequestLine = { method: "POST", target: SEND_TARGET };
  const body = Buffer.from("{}");
  const whole = requestBytes(line, signedIn(world), body);
  const dropped = fc.double({ min: 0.01, max: 0.999, noNaN: true }).map((part): HostileCase => ({
    family: "dropped",
    pieces: [whole.subarray(0, Math.ceil(whole.length * part))],
    requests: [],
    ending: "dropped",
  }));
  const offers = fc.constantFrom("h2c", "websocket", "TLS/1.0", "a, b").map((protocol): HostileCase => {
    const get = { method: "GET", target: PING };
    const offer = [
      { name: "Connection", value: "Upgrade, HTTP2-Settings" },
      { name: "Upgrade", value: protocol },
    ];
    return {
      family: "an upgrade",
      pieces: [requestBytes(get, [...signedIn(world), ...offer])],
      requests: [get],
      ending: "each",
    };
  });
  const expecting = fc.constant<HostileCase>({
    family: "100-continue",
    pieces: [requestBytes(line, [...signedIn(world), { name: "Expect", value: "100-continue" }], body)],
    requests: [line],
    ending: "each",
  });
  const old = fc.constantFrom("", "Connection: keep-alive\r\n").map((connection): HostileCase => ({
    family: "HTTP/1.0",
    pieces: [
      Buffer.concat([
        headBytes(`GET ${PING} HTTP/1.0`, signedIn(world)).subarray(0, -2),
        Buffer.from(`${connection}\r\n`),
      ]),
    ],
    requests: [{ method: "GET", target: PING }],
    ending: "each",
  }));
  return fc.oneof(dropped, offers, expecting, old);
}
