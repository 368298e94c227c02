import { once } from "node:events";
import { connect } from "node:net";
import { type ProcessRole, readConfig } from "@/server/platform/config";
import { openTestWorld } from "@/server/domain/organizations/testing";
import { createRuntime } from "@/server/boot/runtime";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createHttpServer, type HttpOptions } from "@/server/edge/http/server";
import { createMetrics } from "@/server/adapters/metrics/metrics";

/** Servers of a test, each with its own metrics; "next" is the given handler. */
export function createTestServers() {
  const ended: (() => Promise<void>)[] = [];
  return {
    async serve(options: Partial<HttpOptions> & { role?: ProcessRole } = {}) {
      const world = await openTestWorld();
      const role = options.role ?? readConfig({ NODE_ENV: "test" }, "/").role;
      const config = { ...world.services.config, role };
      const services = { ...world.services, config, metrics: createMetrics() };
      const runtime = createRuntime(services, () => Promise.resolve(new Response("inngest")));
      const next: HttpOptions["next"] = async (_, res) => void res.end("next");
      const readiness = async () => ({ parts: { database: true } });
      const server = createHttpServer({ runtime, next, readiness, ...options });
      const port = await listen(server, 0, "127.0.0.1");
      ended.push(async () => {
        await closeServer(server);
        await runtime.close();
        await world.close();
      });
      return { server, port, services, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) };
    },
    /** Closes the opened ones, the last first. */
    async end(): Promise<void> {
      for (const end of ended.splice(0).toReversed()) await end();
    },
  };
}

/** Returns everything received on a new connection, until the server closes it. */
export async function answerTo(port: number, text: string | readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = once(socket, "end");
  for (const part of [text].flat()) socket.write(part);
  await ended;
  socket.destroy();
  return Buffer.concat(chunks).toString("utf8");
}
