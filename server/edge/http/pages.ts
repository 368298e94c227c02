import { createServer } from "node:http";
import next from "next";

/**
 * Creates Next for the app's pages. Call `prepare` before using it. In development, its websocket for hot reloading
 * joins the server that handles the first request. Otherwise Next gets a server that never listens: if there is an
 * upgrade listener, node passes it each request that offers an upgrade (as Java's client does by default, `h2c`)
 * instead of answering it; without one, node ignores the offer (RFC 9110 section 7.8).
 */
export function createPages({ appRoot, dev }: { appRoot: string; dev: boolean }) {
  return next({ dev, dir: appRoot, ...(dev ? {} : { httpServer: createServer() }) });
}
