import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { AppRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import { parseJsonObject, readBody } from "@/server/transport/body";
import { createBridge } from "@/server/edge/public/bridge";

const router = t.router({
  empty: t.procedure
    .meta({
      openapi: { method: "POST", path: "/empty", operationId: "nothing", summary: "Nothing", tags: ["Keys"] },
      capability: "authenticated",
      bucket: null,
      status: 200,
      statuses: [200],
      errors: [],
    })
    .input(z.object({ client_message_id: z.string() }))
    .output(z.object({ ok: z.boolean() }))
    .mutation(() => ({ ok: true })),
});

/** Starts the public API's bridge over node:http, with a procedure that does nothing: no key, no database. */
export async function startBareBridge(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const bridge = createBridge(asAppRouter(router));
  const server = createServer((req, res) => {
    void (async () => {
      const body = parseJsonObject(await readBody(req));
      const answer = await bridge({ method: "POST", url: "/empty", body, ctx: unusedContext() });
      res.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
      res.end(answer.body);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${asAddress(server.address()).port}/empty`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Guarantee: the bridge only uses a router's procedures and their meta. */
function asAppRouter(small: typeof router): AppRouter {
  return small as unknown as AppRouter;
}

/** Guarantee: the one procedure above never uses its context. */
function unusedContext(): Context {
  return {} as Context;
}

/** Guarantee: a server that listens on a TCP port has such an address. */
function asAddress(address: AddressInfo | string | null): AddressInfo {
  return address as AddressInfo;
}
