import type { Command } from "commander";
import type { SystemActor } from "@/server/core/actor";
import { DEFAULT_SCOPES, type Scope } from "@/server/core/capabilities";
import type { Context, Services } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { listKeys } from "@/server/domain/keys/list";
import { revokeKey } from "@/server/domain/keys/revoke";
import { overlapEnd } from "@/server/domain/keys/overlap-end";
import { rotateKey } from "@/server/domain/keys/rotate";
import { LIMIT_MAX, POLICIES } from "@/server/adapters/limits/policies";
import type { KeyView, KeyWithSecret } from "@/server/domain/keys/views";
import { listOrganizations } from "@/server/domain/organizations/claim";
import { setKey } from "@/server/domain/keys/set";
import { WaypostError } from "@/server/platform/errors";
import { organizationOfKey } from "./claim";
import {
  parseId,
  parseIds,
  parseScopes,
  table,
  wholeNumber,
  type AddCommands,
  type Answer,
  type Run,
} from "./command";
import { requireOrganization } from "./organization";

/** A hundred years. A longer span means that the unit is wrong. */
const SPAN_SECONDS_MAX = 100 * 31_557_600;

interface CreateOptions {
  readonly org: string;
  readonly name: string;
  readonly scopes?: Scope[];
  readonly channels?: string[];
  readonly expiresIn?: number;
  readonly sendLimit?: number;
  readonly readLimit?: number;
  readonly json?: boolean;
}

export const addKeyCommands: AddCommands = (program, run) => {
  const key = program.command("key").description("API keys of integrators");

  addCreateOptions(key.command("create").description("create a key and show its secret once")).action(
    (options: CreateOptions) => run(({ services }) => create(services, options), options),
  );

  key
    .command("rotate")
    .description("give a key a new secret and show it once")
    .argument("<id>", "id of the key")
    .option(
      "--overlap <seconds>",
      "how long the current secret keeps working, at most a hundred years",
      wholeNumber(0, SPAN_SECONDS_MAX),
      0,
    )
    .option("--scopes <list>", "comma-separated; unchanged if not given", parseScopes)
    .option("--json", "print JSON only")
    .action((keyId: string, options: { overlap: number; scopes?: Scope[]; json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireKey(services, keyId, "cli key rotate");
        const input = { keyId, overlapSeconds: options.overlap, scopes: options.scopes };
        const rotated = await rotateKey({ ctx, input });
        return withSecretShown(rotated, "New secret", [await previousSecretLine(ctx, rotated)]);
      }, options),
    );

  addKeySetCommand(key, run);

  key
    .command("revoke")
    .description("revoke a key and all its secrets immediately")
    .argument("<id>", "id of the key")
    .option("--json", "print JSON only")
    .action((keyId: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireKey(services, keyId, "cli key revoke");
        const { id, revokedAt } = await revokeKey({ ctx, input: { keyId } });
        return {
          json: { id, revoked_at: revokedAt },
          text: `Key ${id} was revoked at ${revokedAt.toISOString()}.`,
        };
      }, options),
    );

  key
    .command("list")
    .description("list keys, including revoked and expired keys, without secrets")
    .option("--org <id>", "only keys of this organization; all organizations if not given", parseId)
    .option("--json", "print JSON only")
    .action((options: { org?: string; json?: boolean }) =>
      run(({ services }) => list(services, options.org), options),
    );
};

function addCreateOptions(command: Command): Command {
  return command
    .requiredOption("--org <id>", "organization of the key", parseId)
    .requiredOption("--name <name>", "1 to 100 characters")
    .option("--scopes <list>", `comma-separated; default ${DEFAULT_SCOPES.join(",")}`, parseScopes)
    .option("--channels <ids>", "comma-separated ids of the channels it may use; all if not given", parseIds)
    .option(
      "--expires-in <seconds>",
      "at most a hundred years; never if not given",
      wholeNumber(1, SPAN_SECONDS_MAX),
    )
    .option(
      "--send-limit <n>",
      `send requests per minute; default ${POLICIES.send.limitDefault}`,
      wholeNumber(1, LIMIT_MAX),
    )
    .option(
      "--read-limit <n>",
      `read requests per minute; default ${POLICIES.read.limitDefault}`,
      wholeNumber(1, LIMIT_MAX),
    )
    .option("--json", "print JSON only");
}

interface LimitOptions {
  readonly sendLimit?: number;
  readonly readLimit?: number;
  readonly json?: boolean;
}

function addKeySetCommand(key: Command, run: Run): void {
  key
    .command("set")
    .description("set a key's rate limits; they apply from its next request")
    .argument("<id>", "id of the key")
    .option("--send-limit <n>", "send requests per minute; unchanged if not given", wholeNumber(1, LIMIT_MAX))
    .option("--read-limit <n>", "read requests per minute; unchanged if not given", wholeNumber(1, LIMIT_MAX))
    .option("--json", "print JSON only")
    .action((keyId: string, options: LimitOptions, command: Command) => {
      const { sendLimit, readLimit } = options;
      if (sendLimit === undefined && readLimit === undefined)
        command.error("error: nothing to change. Expected '--send-limit <n>' or '--read-limit <n>'.");
      return run(async ({ services }) => {
        const ctx = await requireKey(services, keyId, "cli key set");
        const limits = await setKey({ ctx, input: { keyId, sendLimit, readLimit } });
        return {
          json: { id: keyId, send_limit: limits.sendLimit, read_limit: limits.readLimit },
          text: `Key ${keyId} may make ${limits.sendLimit} send requests and ${limits.readLimit} read requests per minute.`,
        };
      }, options);
    });
}

async function create(services: Services, options: CreateOptions): Promise<Answer> {
  const ctx = await requireOrganization(services, options.org, "cli key create");
  const key = await createKey({
    ctx,
    input: {
      name: options.name,
      scopes: options.scopes,
      channelIds: options.channels,
      expiresInSeconds: options.expiresIn,
      sendLimit: options.sendLimit,
      readLimit: options.readLimit,
    },
  });
  return withSecretShown(key, "Secret");
}

/** Says when the previous secret expires: after its overlap, or with the key. */
async function previousSecretLine(ctx: Context<SystemActor>, key: KeyWithSecret): Promise<string> {
  const endsAt = await overlapEnd({ ctx, keyId: key.id });
  return `Previous secret ${endsAt === null ? "has expired" : `works until ${endsAt.toISOString()}`}`;
}

function withSecretShown(key: KeyWithSecret, label: string, more: readonly string[] = []): Answer {
  const text = [
    `Key        ${key.id} (${key.name})`,
    `${label.padEnd(10)} ${key.secret}`,
    ...more,
    `Scopes     ${key.scopes.join(", ")}`,
    `Expires    ${key.expiresAt?.toISOString() ?? "never"}`,
    "",
    "The secret is shown only once and isn't stored. Save it now.",
  ];
  return { json: { id: key.id, secret: key.secret }, text: text.join("\n") };
}

async function list(services: Services, organizationId: string | undefined): Promise<Answer> {
  const organizations = organizationId
    ? [(await requireOrganization(services, organizationId, "cli key list")).actor.organizationId]
    : (await listOrganizations(services.orm)).map(({ id }) => id);
  const keys: (KeyView & { organizationId: string })[] = [];
  for (const id of organizations) {
    const ctx = {
      services,
      actor: { kind: "system", organizationId: id, job: "cli key list" },
      requestId: null,
    } as const;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<typeof listKeys>> = await listKeys({ ctx, input: { cursor } });
      keys.push(...page.data.map((key) => ({ ...key, organizationId: id })));
      cursor = page.nextCursor;
    }
  }
  const headings = ["ID", "ORGANIZATION", "NAME", "STATUS", "LAST USED", "EXPIRES", "SECRETS", "SCOPES"];
  return { json: keys.map(asJson), text: table(headings, keys.map(asRow)) };
}

function asJson(key: KeyView & { organizationId: string }) {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    status: key.status,
    scopes: key.scopes,
    channel_ids: key.channelIds,
    send_limit: key.sendLimit,
    read_limit: key.readLimit,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    secrets: key.secrets.map(({ prefix, lastFour, endsAt }) => ({
      prefix,
      last_four: lastFour,
      ends_at: endsAt,
    })),
  };
}

function asRow(key: KeyView & { organizationId: string }): string[] {
  return [
    key.id,
    key.organizationId,
    key.name,
    key.status,
    key.lastUsedAt?.toISOString() ?? "never",
    key.expiresAt?.toISOString() ?? "never",
    key.secrets.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`).join(" ") || "-",
    key.scopes.join(","),
  ];
}

/** Returns the context of the key's organization. @throws WaypostError `key_not_found` */
async function requireKey(services: Services, keyId: string, job: string): Promise<Context<SystemActor>> {
  const organizationId = await organizationOfKey(services.orm, keyId);
  if (organizationId === null) throw new WaypostError("key_not_found");
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
