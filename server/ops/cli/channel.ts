import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { z } from "zod";
import type { SystemActor } from "@/server/core/actor";
import { requireWorkingNumber } from "@/server/domain/channels/check-number";
import { connectChannel } from "@/server/domain/channels/connect";
import { connectNumberInput } from "@/server/domain/channels/connect-number";
import type { Context, Services } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { syncTemplates } from "@/server/domain/templates/sync";
import { unreachableForMeta } from "@/server/domain/channels/callback-address";
import { type ChannelSet, setChannel } from "@/server/domain/channels/set";
import { resumeChannel } from "@/server/domain/channels/resume";
import { addChannelList } from "./channel-list";
import { parseId, type AddCommands, type Run, CommandError } from "./command";
import { requireOrganization } from "./organization";
import { organizationOfChannel } from "./claim";

/** Short, because an operator is waiting. */
const TEMPLATES_TIMEOUT_MS = 5_000;

interface ConnectOptions {
  readonly org: string;
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayPhoneNumber?: string;
  readonly credentials: string;
  readonly default?: boolean;
  readonly alreadyInUse?: boolean;
  readonly unchecked?: boolean;
  readonly json?: boolean;
}

const credentialsSchema = z.strictObject({
  access_token: z.string(),
  app_secret: z.string(),
  verify_token: z.string(),
});
const CREDENTIALS_SHAPE = '{ "access_token": "…", "app_secret": "…", "verify_token": "…" }';
const changedCredentialsSchema = credentialsSchema.partial();
const CHANGED_CREDENTIALS_SHAPE =
  'one or more of { "access_token": "…", "app_secret": "…", "verify_token": "…" }';

export const addChannelCommands: AddCommands = (program, run) => {
  const channel = program.command("channel").description("WhatsApp numbers of organizations");
  addChannelList(channel, run);
  addChannelConnect(channel, run);
  addChannelSet(channel, run);
  addChannelResume(channel, run);
};

function addChannelConnect(channel: Command, run: Run): void {
  channel
    .command("connect")
    .description("connect a number of Meta's WhatsApp Cloud API")
    .requiredOption("--org <id>", "organization of the channel", parseId)
    .requiredOption("--name <name>", "1 to 100 characters")
    .requiredOption("--phone-number-id <id>", "Meta's id of the number")
    .requiredOption("--waba-id <id>", "Meta's id of the WhatsApp Business account")
    .option("--display-phone-number <number>", "number as people write it, if Meta isn't asked")
    .requiredOption(
      "--credentials <file>",
      `file that holds ${CREDENTIALS_SHAPE}; - reads it from standard input`,
    )
    .option("--default", "use it for messages without a channel")
    .option("--already-in-use", "treat unknown customer service windows as open for 24 hours")
    .option("--unchecked", "save it without checking the credentials with Meta")
    .option("--json", "print JSON only")
    .action((options: ConnectOptions, command: Command) => {
      if (options.unchecked && options.displayPhoneNumber === undefined)
        command.error("error: '--unchecked' needs '--display-phone-number <number>'.");
      return run(async ({ services, baseUrl }) => {
        const ctx = await requireOrganization(services, options.org, "cli channel connect");
        const credentials = await readCredentials(options.credentials, credentialsSchema, CREDENTIALS_SHAPE);
        const channelId = await connect(ctx, options, credentials);
        const templates = await readTemplates(ctx, channelId);
        const callbackUrl = `${baseUrl}/api/upstream/whatsapp/${channelId}`;
        const remark = unreachableForMeta(services.config.publicUrl);
        const text = [
          `Channel ${channelId} was connected. ${templates}`,
          "Enter this callback URL and the verify token at Meta:",
          callbackUrl,
          ...(remark === null ? [] : [remark]),
        ];
        const json = { id: channelId, callback_url: callbackUrl, callback_url_is_public: remark === null };
        return { json, text: text.join("\n") };
      }, options);
    });
}

/** Connects the number after Meta has accepted its credentials, or without a check. @returns the channel's id. */
async function connect(
  ctx: Context<SystemActor>,
  options: ConnectOptions,
  credentials: z.output<typeof credentialsSchema>,
): Promise<string> {
  const { name, phoneNumberId, wabaId, displayPhoneNumber: given } = options;
  const input = parseInput(connectNumberInput, {
    name,
    phoneNumberId,
    wabaId,
    accessToken: credentials.access_token,
    appSecret: credentials.app_secret,
    verifyToken: credentials.verify_token,
    isDefault: options.default,
    alreadyInUse: options.alreadyInUse,
  });
  const displayPhoneNumber =
    options.unchecked && given !== undefined
      ? given
      : (await requireWorkingNumber(ctx.services, input)).displayPhoneNumber;
  const { verify_token: verifyToken } = credentials;
  const { channelId } = await connectChannel({
    ctx,
    input: { ...input, upstream: "meta", displayPhoneNumber, verifyToken },
  });
  return channelId;
}

/** Describes the result in words. The channel is connected in any case. */
async function readTemplates(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const synced = await syncTemplates({ ctx, input: { channelId, timeoutMs: TEMPLATES_TIMEOUT_MS } });
  if (synced.kind === "synced") return `Its account has ${synced.changed} message templates.`;
  return `Its message templates can't be read yet (${synced.reason}); Waypost retries every ten minutes.`;
}

interface SetOptions {
  readonly name?: string;
  readonly credentials?: string;
  readonly json?: boolean;
}

function addChannelSet(channel: Command, run: Run): void {
  channel
    .command("set")
    .description("change a channel's name or credentials, for example to replace an expired access token")
    .argument("<id>", "id of the channel", parseId)
    .option("--name <name>", "1 to 100 characters")
    .option(
      "--credentials <file>",
      `file that holds ${CHANGED_CREDENTIALS_SHAPE}; - reads it from standard input`,
    )
    .option("--json", "print JSON only")
    .action((channelId: string, options: SetOptions, command: Command) => {
      const { name, credentials: file } = options;
      if (name === undefined && file === undefined)
        command.error("error: nothing to change. Expected '--name <name>' or '--credentials <file>'.");
      return run(async ({ services }) => {
        const ctx = await requireChannel(services, channelId, "cli channel set");
        const given =
          file === undefined
            ? {}
            : await readCredentials(file, changedCredentialsSchema, CHANGED_CREDENTIALS_SHAPE);
        const set = await setChannel({
          ctx,
          input: {
            channelId,
            name,
            accessToken: given.access_token,
            appSecret: given.app_secret,
            verifyToken: given.verify_token,
          },
        });
        const json = { id: channelId, token: set.token?.kind ?? null, was_paused_for: set.endedPause };
        return { json, text: setWords(channelId, set) };
      }, options);
    });
}

function setWords(channelId: string, { token, endedPause }: ChannelSet): string {
  const lines = [`Channel ${channelId} was changed.`];
  if (token?.kind === "works") lines.push("The new access token works: it can read the number.");
  if (token?.kind === "untried") {
    lines.push(
      `The new access token was saved but couldn't be tested: ${token.reason}. Test it with \`doctor\`.`,
    );
  }
  if (endedPause !== null) lines.push(`The channel sends again. It was paused because of ${endedPause}.`);
  return lines.join("\n");
}

function addChannelResume(channel: Command, run: Run): void {
  channel
    .command("resume")
    .description("end a channel's pause after the problem is fixed, and send its waiting messages")
    .argument("<id>", "id of the channel", parseId)
    .option("--json", "print JSON only")
    .action((channelId: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireChannel(services, channelId, "cli channel resume");
        const pauseReason = await resumeChannel({ ctx, input: { channelId } });
        const text =
          pauseReason === null
            ? `Channel ${channelId} isn't paused.`
            : `Channel ${channelId} sends again. It was paused because of ${pauseReason}. If the problem still exists, the next message pauses it again.`;
        return { json: { id: channelId, was_paused_for: pauseReason }, text };
      }, options),
    );
}

/**
 * Returns the context of a command that works on a channel, for the channel's organization.
 * @throws CommandError if there is no such channel.
 */
async function requireChannel(
  services: Services,
  channelId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const organizationId = await organizationOfChannel(services.orm, channelId);
  if (organizationId === null) {
    throw new CommandError("not_found", `There is no channel ${channelId}. \`channel list\` shows them.`);
  }
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}

/**
 * Reads credentials from a file, or from standard input for `-`. They are not accepted on the command line, which is
 * visible to every process and kept in the shell's history.
 * @param shape description of the schema, for the operator.
 * @throws CommandError that repeats nothing from the file.
 */
async function readCredentials<S extends z.ZodType>(
  file: string,
  schema: S,
  shape: string,
): Promise<z.output<S>> {
  const text = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8").catch(unreadable);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CommandError("credentials_malformed", `The credentials must be ${shape}.`);
}

function unreadable(error: NodeJS.ErrnoException): never {
  const cause = error.code ?? "unknown error";
  throw new CommandError("file_unreadable", `The file given by --credentials can't be read: ${cause}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
