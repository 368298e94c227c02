import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import ipaddr from "ipaddr.js";
import { vi } from "vitest";

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;
/** Flags of a response without an error, from a recursive server. */
const ANSWER_FLAGS = 0x8180;
/** A pointer to the question's name. */
const ASKED_NAME = Buffer.from([0xc0, HEADER_BYTES]);

/** Answers to the queries for a name, one after the other. The last one is repeated. */
export type Answers = readonly (readonly string[])[];

/**
 * Starts a DNS server on a UDP port of loopback. Each lookup of a name is a query for IPv4 and one for IPv6. Each gets
 * the answer's addresses of its kind.
 */
export async function startNameServer() {
  const names = new Map<string, Answers>();
  const aliases = new Map<string, string>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    asked.push(`${name} ${type}`);
    const times = asked.filter((one) => one === `${name} ${type}`).length;
    const alias = aliases.get(name);
    const answers = names.get(alias ?? name) ?? [];
    const addresses = (answers[Math.min(times, answers.length) - 1] ?? []).map((one) => ipaddr.parse(one));
    const wanted = addresses.filter((one) => (one.kind() === "ipv4" ? TYPES.A : TYPES.AAAA) === type);
    const records = [
      ...(alias === undefined ? [] : [record(ASKED_NAME, TYPES.CNAME, nameBytes(alias))]),
      ...wanted.map((one) =>
        record(alias === undefined ? ASKED_NAME : nameBytes(alias), type, Buffer.from(one.toByteArray())),
      ),
    ];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER_FLAGS, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    /** Queries so far: name and type. */
    asked,
    answer: (name: string, ...answers: Answers) => void names.set(name, answers),
    /** Makes a name an alias of another. */
    alias: (name: string, of: string) => void aliases.set(name, of),
    /** From now on, our lookups go to this server, until the mocks are restored. */
    takeAllQueries: () => sendQueriesTo(`127.0.0.1:${socket.address().port}`),
    close: () => void socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  return { name: labels.join(".").toLowerCase(), type, question: query.subarray(HEADER_BYTES, at + 5) };
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** The queries are real. Only their destination is set, once per resolver, before its first one. */
function sendQueriesTo(server: string): void {
  const reported = new WeakSet<Resolver>();
  for (const name of ["resolve4", "resolve6"] as const) {
    const original = Resolver.prototype[name];
    const redirected = function (this: Resolver, host: string): unknown {
      if (!reported.has(this)) this.setServers([server]);
      reported.add(this);
      return Reflect.apply(original, this, [host]);
    };
    vi.spyOn(Resolver.prototype, name).mockImplementation(asResolve(redirected));
  }
}

/** Guarantee: it is called without options only, for which node returns texts; the type has every overload. */
function asResolve(resolve: (this: Resolver, host: string) => unknown) {
  return resolve as unknown as Resolver["resolve4"] & Resolver["resolve6"];
}
