import type { EventEmitter } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** The websocket by which Next renews pages in development. */
const RENEWAL_PATH = "/_next/";
const UPGRADE_HEADERS = /^(upgrade|connection|http2-settings)$/i;

/**
 * Hands Next's own websocket to it, for development only. A server that listens for upgrades gets every request that
 * offers one instead of answering it, so any other is answered as if it didn't (RFC 9110 section 7.8), on a
 * connection that is kept alive.
 */
export function takeUpgrades(server: Server, next: EventEmitter): void {
  server.on("upgrade", (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isRenewal = req.url?.startsWith(RENEWAL_PATH) && req.headers.upgrade?.toLowerCase() === "websocket";
    if (isRenewal && next.emit("upgrade", req, socket, head)) return;
    // Node has read the head of the request only: the server reads it again.
    socket.unshift(head);
    socket.unshift(headOf(req));
    server.emit("connection", socket);
  });
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!UPGRADE_HEADERS.test(name)) lines.push(`${name}: ${rawHeaders[index + 1] ?? ""}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
