import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { serveOnLoopback } from "@/server/edge/http/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorldOptions,
} from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";

/** A database, a controllable account, and for each test an organization with a channel on it. */
export async function openTemplateWorld(options?: TestWorldOptions) {
  const world = await openTestWorld(options);
  const upstream = await startTemplateUpstream();
  const services: Services = servicesWith(world.services, { urls: { upstream: () => upstream.url } });
  const { sql } = world.database;
  return {
    services,
    sql,
    upstream,
    async newChannel() {
      const ctx = await createTestOrganization(services);
      return { ctx, channelId: await connectTestChannel(ctx) };
    },
    /** Returns the channel's submissions, by name and language. */
    rowsOf: (channelId: string) => sql<
      {
        id: string;
        name: string;
        language: string;
        state: string;
        reason: string | null;
        variables: string[];
      }[]
    >`
      select id, name, language, state, state_reason as reason, variables from templates
      where channel_id = ${channelId} order by name, language`,
    async close() {
      await upstream.close();
      await world.close();
    },
  };
}

export type TemplateWorld = Awaited<ReturnType<typeof openTemplateWorld>>;

export interface TemplateCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export type TemplateBehaviour = (res: ServerResponse, call: TemplateCall) => void;

export interface TemplateUpstream {
  readonly url: string;
  readonly calls: readonly TemplateCall[];
  /** Applies from now on; initially the account has no templates. */
  behave(behaviour: TemplateBehaviour): void;
  close(): Promise<void>;
}

/** Serves the templates of an account on loopback, for tests. Its behaviour can be set. */
export async function startTemplateUpstream(): Promise<TemplateUpstream> {
  const calls: TemplateCall[] = [];
  let behaviour: TemplateBehaviour = having([]);
  const server = await serveOnLoopback((req, res) => {
    void readCall(req).then((call) => {
      calls.push(call);
      behaviour(res, call);
    });
  });
  return {
    url: server.url,
    calls,
    behave: (next) => void (behaviour = next),
    close: () => server.close(),
  };
}

async function readCall(req: IncomingMessage): Promise<TemplateCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(req.url ?? "/", "http://upstream");
  return {
    method: req.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    authorization: req.headers.authorization,
    body: text === "" ? null : JSON.parse(text),
  };
}

/** A template as Meta's API returns it. */
export function upstreamTemplate(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    id: "594425479261596",
    name: "order_update",
    language: "en_US",
    category: "UTILITY",
    status: "APPROVED",
    rejected_reason: "NONE",
    components: [{ type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." }],
    ...changes,
  };
}

/** Responds with these templates, on pages of that size. */
export const having =
  (templates: readonly unknown[], pageSize = 100): TemplateBehaviour =>
  (res, { query }) => {
    const from = Number(query.after ?? 0);
    const until = from + pageSize;
    const isLast = until >= templates.length;
    answerJson(res, 200, {
      data: templates.slice(from, until),
      paging: {
        cursors: { before: String(from), after: String(until) },
        // Leads to another host, so that following it would be noticed.
        ...(isLast ? {} : { next: "http://elsewhere.invalid/?access_token=leaked" }),
      },
    });
  };
