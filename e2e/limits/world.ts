import { randomUUID } from "node:crypto";
import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import type { Api, ApiAnswer } from "@/e2e/support/api";
import { createKey, demo, type ApiKey } from "@/e2e/support/cli";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";

const HEADERS = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** An organization on the shared server, in which tests use up the limits of keys. */
export interface LimitsWorld {
  readonly server: SharedServer;
  /** Direct access to the server's database. */
  readonly sql: Sql;
  newKey(sendLimit?: number): Promise<ApiKey>;
  send(api: Api, key: string, id?: string, body?: string): Promise<ApiAnswer>;
  close(): Promise<void>;
}

export async function openLimitsWorld(): Promise<LimitsWorld> {
  const server = await askSharedServer();
  const { organization_id: organizationId, contacts } = await demo(server);
  const run = await readRunFile(server.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  const sql = createPool(run.postgres, { name: "limits-test", connectionsMax: 1 });
  return {
    server,
    sql,
    newKey: (sendLimit) => createKey(server, organizationId, sendLimit === undefined ? {} : { sendLimit }),
    send(api, key, id = randomUUID(), body = "Hello") {
      const to = { kind: "whatsapp", handle: contacts.open_window.handle };
      const json = { client_message_id: id, type: "text", to, text: { body } };
      return api.call({ path: "/messages", key, json });
    },
    close: () => sql.end({ timeout: 1 }),
  };
}

/** Returns the rate-limit headers of a response, by name. */
export function limitHeaders({ headers }: ApiAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.includes(name)));
}
