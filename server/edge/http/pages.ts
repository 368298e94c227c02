import { createServer } from "node:http";
import next from "next";

/**
 * Next over the app's pages; `prepare` it before it is asked. In development its websocket, by which it renews pages,
 * joins the server that answers the first request. Otherwise it gets a server that never listens: node hands a request
 * that offers an upgrade (as Java's client does by default, `h2c`) to whoever listens for upgrades instead of answering
 * it, and ignores the offer where nobody does (RFC 9110 section 7.8).
 */
export function createPages({ appRoot, dev }: { appRoot: string; dev: boolean }) {
  return next({ dev, dir: appRoot, ...(dev ? {} : { httpServer: createServer() }) });
}
