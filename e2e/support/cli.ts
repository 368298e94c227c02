import { z } from "zod";
import { runCommand } from "./command";
import type { WaypostAddress } from "./waypost";

/**
 * Runs an operator's command beside the server, within this process, and returns the output of `--json`.
 * @throws Error with the message of a failed command.
 */
async function waypost({ env }: WaypostAddress, ...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const uuid = z.guid();
const handle = z.string().regex(/^[1-9][0-9]{6,14}$/);
const contact = z.object({ handle, contact_id: uuid });
const contactWithThread = contact.extend({ thread_id: uuid });

const template = z.strictObject({
  template_submission_id: uuid,
  name: z.string().min(1),
  language: z.string().min(1),
  variables: z.record(z.string(), z.string()),
});

/** The output of `waypost demo --json`. */
const demoSchema = z.object({
  base_url: z.url(),
  simulator_url: z.url(),
  organization_id: uuid,
  sign_in: z.object({ email: z.email(), password: z.string().min(1) }),
  api_key: z.object({ id: uuid, secret: z.string().startsWith("ak_live_") }),
  channels: z.object({ default: uuid, second: uuid }),
  phone_number_ids: z.object({ default: z.string(), second: z.string() }),
  contacts: z.object({
    open_window: contactWithThread,
    closed_window: contactWithThread,
    no_conversation: contact,
    conflicting: z.object({ handle }),
  }),
  threads: z.object({ closed_and_assigned: z.object({ thread_id: uuid, assignee_id: uuid }) }),
  templates: z.object({
    approved: template,
    pending: template,
    rejected: template,
    approved_with_buttons: template,
    approved_carousel: template,
    approved_on_second: template,
  }),
  uploads: z.object({ image: z.object({ storage_key: z.string().min(1) }) }),
  internal_note_id: uuid,
});

export type Demo = z.infer<typeof demoSchema>;

/** Creates another demo organization, independent of all others. */
export async function demo(server: WaypostAddress): Promise<Demo> {
  return demoSchema.parse(await waypost(server, "demo"));
}

const keySchema = z.strictObject({ id: uuid, secret: z.string().startsWith("ak_live_") });

export type ApiKey = z.infer<typeof keySchema>;

export interface KeyOptions {
  readonly scopes?: readonly string[];
  readonly channels?: readonly string[];
  readonly expiresInSeconds?: number;
  readonly sendLimit?: number;
  readonly readLimit?: number;
}

/** Creates a key; absent fields have the product's defaults. */
export async function createKey(
  server: WaypostAddress,
  organizationId: string,
  { scopes, channels, expiresInSeconds, sendLimit, readLimit }: KeyOptions = {},
): Promise<ApiKey> {
  const args = ["key", "create", "--org", organizationId, "--name", "Test"];
  if (scopes) args.push("--scopes", scopes.join(","));
  if (channels) args.push("--channels", channels.join(","));
  if (expiresInSeconds !== undefined) args.push("--expires-in", String(expiresInSeconds));
  if (sendLimit !== undefined) args.push("--send-limit", String(sendLimit));
  if (readLimit !== undefined) args.push("--read-limit", String(readLimit));
  return keySchema.parse(await waypost(server, ...args));
}

/** Gives a key a new secret; the previous one ends after `overlapSeconds`, 0 by default. */
export async function rotateKey(server: WaypostAddress, id: string, overlapSeconds = 0): Promise<ApiKey> {
  return keySchema.parse(await waypost(server, "key", "rotate", id, "--overlap", String(overlapSeconds)));
}

export async function revokeKey(server: WaypostAddress, id: string): Promise<void> {
  await waypost(server, "key", "revoke", id);
}

const organizationsSchema = z.array(z.looseObject({ id: uuid, uploaded_bytes: z.int() }));

/** Allows that many bytes of uploads in addition to the current ones. */
export async function allowUploads(
  server: WaypostAddress,
  organizationId: string,
  furtherBytes: number,
): Promise<void> {
  const organizations = organizationsSchema.parse(await waypost(server, "org", "list"));
  const { uploaded_bytes: taken = 0 } = organizations.find(({ id }) => id === organizationId) ?? {};
  await waypost(server, "org", "set", organizationId, "--upload-quota", String(taken + furtherBytes));
}

/** Ends a channel's pause. */
export async function resumeChannel(server: WaypostAddress, channelId: string): Promise<void> {
  await waypost(server, "channel", "resume", channelId);
}

const channelSchema = z.looseObject({ id: uuid });

export interface ChannelOptions {
  readonly phoneNumberId: string;
  /** Contains the access token, app secret and verify token. */
  readonly credentialsFile: string;
}

/** Connects a number at Meta, which needn't exist; returns the channel's id. */
export async function connectChannel(
  server: WaypostAddress,
  organizationId: string,
  { phoneNumberId, credentialsFile }: ChannelOptions,
): Promise<string> {
  const named = ["--name", "Test", "--waba-id", "1", "--display-phone-number", "+49 151 00000000"];
  const ids = ["--org", organizationId, "--phone-number-id", phoneNumberId];
  const args = ["channel", "connect", ...ids, ...named, "--credentials", credentialsFile, "--unchecked"];
  return channelSchema.parse(await waypost(server, ...args)).id;
}

const conversationSchema = z.strictObject({
  status: z.string(),
  assignee_id: uuid.nullable(),
  last_inbound_at: z.iso.datetime().nullable(),
});

/** The output of `waypost conversation show` for a thread. */
export async function showConversation(server: WaypostAddress, threadId: string) {
  return conversationSchema.parse(await waypost(server, "conversation", "show", threadId));
}

const linkSchema = z.looseObject({ url: z.url() });

/** Creates a link for setting a new password. */
export async function resetPasswordLink(server: WaypostAddress, email: string): Promise<string> {
  return linkSchema.parse(await waypost(server, "member", "reset-password", email)).url;
}
