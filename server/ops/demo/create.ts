import { randomBytes, randomInt } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { SystemActor } from "@/server/core/actor";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import { connectChannel } from "@/server/domain/channels/connect";
import { ensureContact } from "@/server/domain/contacts/ensure";
import type { Context, Services } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { createMember } from "@/server/domain/members/create";
import { createOrganization } from "@/server/domain/organizations/create";
import { createUpload } from "@/server/domain/uploads/create";
import { addConflictingContacts, addNote, closeAndAssign, customerWrote } from "./conversations";
import { type Demo, NO_TEMPLATES } from "./demo";
import { addInboxEndpoint } from "@/server/domain/inbox/endpoint";
import { showOnPhones } from "./phones";
import { registerWithSimulator } from "./register";
import { addDemoTemplates } from "./templates";

const THREE_DAYS_MS = 3 * 24 * 60 * 60 * 1000;

/** Digits before the last five. German mobile numbers have one written form. */
const GERMAN_MOBILE = "49151";
const BRAZILIAN_MOBILE = "5511";

/** The simulator has special outcomes for recipients that end in 99NNN. All others read their messages. */
const SPECIAL_SUFFIX = /99[0-9]{3}$/;

const PICTURE_SIDE = 96;
const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const PNG_HEADER = { bitDepth: 8, colourTypeRgb: 2 } as const;

export interface DemoOptions {
  readonly services: Services;
  /** Null if no simulator runs: the channels are registered when one starts. */
  readonly simulatorUrl: string | null;
  /** Current or future address of this service, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Creates another demo organization, independent of all others, through the verbs. Registers its two channels with the
 * simulator, shows its messages on the customers' phones, and submits its templates there.
 * @throws SimulatorRefused if the registration fails. The next start then adds what is missing.
 */
export async function createDemoOrganization(options: DemoOptions): Promise<Demo> {
  const demo = await seedDemoOrganization(options);
  const { services, simulatorUrl, baseUrl } = options;
  if (simulatorUrl === null) return demo;
  const organizationId = demo.organization_id;
  await registerWithSimulator({ services, simulatorUrl, baseUrl, organizationId });
  const ctx: Context<SystemActor> = {
    services: { ...services, urls: { ...services.urls, upstream: () => simulatorUrl } },
    actor: { kind: "system", organizationId, job: "demo" },
    requestId: null,
  };
  await showOnPhones(ctx, demo.channels.default, simulatorUrl);
  return { ...demo, templates: await addDemoTemplates(ctx, demo.channels) };
}

/** Creates the part in the database, without a call to the simulator. */
export async function seedDemoOrganization({ services, simulatorUrl, baseUrl }: DemoOptions): Promise<Demo> {
  const tag = randomBytes(4).toString("hex");
  const { id, ctx } = await createOrganization({
    services,
    job: "demo",
    input: { name: `Demo ${tag}`, isDemo: true },
  });
  await addInboxEndpoint(ctx, baseUrl);
  const owner = await addPerson(ctx, "owner", `demo-${tag}@example.com`);
  const agent = await addPerson(ctx, "agent", `demo-${tag}-agent@example.com`);
  const numbers = { default: digits(14), second: digits(14) };
  const channels = {
    default: await addChannel(ctx, { name: "Support", isDefault: true, phoneNumberId: numbers.default }),
    second: await addChannel(ctx, { name: "Sales", isDefault: false, phoneNumberId: numbers.second }),
  };
  const key = await createKey({
    ctx,
    input: { name: "Demo", scopes: [...DEFAULT_SCOPES, "webhooks:manage"] },
  });
  const { contacts, closedThreadId } = await addContacts(ctx, channels.default);
  await closeAndAssign(ctx, closedThreadId, agent.memberId);
  const note = {
    channelId: channels.default,
    contact: contacts.open_window,
    body: "Knows the shop from a friend.",
  };
  return {
    base_url: baseUrl,
    simulator_url: simulatorUrl ?? "",
    organization_id: id,
    sign_in: { email: owner.email, password: owner.password },
    api_key: { id: key.id, secret: key.secret },
    channels,
    phone_number_ids: numbers,
    contacts,
    threads: { closed_and_assigned: { thread_id: closedThreadId, assignee_id: agent.memberId } },
    templates: NO_TEMPLATES,
    uploads: { image: await addPicture(ctx) },
    internal_note_id: await addNote(ctx, note),
  };
}

async function addPerson(ctx: Context<SystemActor>, role: "owner" | "agent", email: string) {
  const password = randomBytes(12).toString("base64url");
  const { memberId } = await createMember({ ctx, input: { email, name: `Demo ${role}`, password, role } });
  return { memberId, email, password };
}

async function addPicture(ctx: Context<SystemActor>): Promise<{ storage_key: string }> {
  const picture = demoPicture();
  const file = {
    async *chunks() {
      yield picture;
    },
    contentType: "image/png",
    filename: "demo.png",
    declaredBytes: picture.length,
  };
  const { storage_key } = await createUpload({ ctx, input: { file } });
  return { storage_key };
}

async function addChannel(
  ctx: Context<SystemActor>,
  channel: { name: string; isDefault: boolean; phoneNumberId: string },
): Promise<string> {
  const { channelId } = await connectChannel({
    ctx,
    input: {
      ...channel,
      upstream: "simulator",
      wabaId: digits(14),
      displayPhoneNumber: `+1555${digits(7)}`,
      accessToken: randomBytes(32).toString("base64url"),
      appSecret: randomBytes(16).toString("hex"),
      verifyToken: null,
    },
  });
  return channelId;
}

async function addContacts(ctx: Context<SystemActor>, channelId: string) {
  const [open = "", closed = "", silent = "", done = ""] = newHandles(4);
  const now = new Date();
  const longAgo = new Date(now.getTime() - THREE_DAYS_MS);
  const conflicting = newTwoFormNumber();
  await addConflictingContacts(ctx, conflicting);
  const silentContact = await ensureContact({ ctx, input: { handle: silent, name: "Carla" } });
  const contacts: Demo["contacts"] = {
    open_window: await customerWrote(ctx, { channelId, handle: open, name: "Ana", at: now }),
    closed_window: await customerWrote(ctx, { channelId, handle: closed, name: "Ben", at: longAgo }),
    no_conversation: { handle: silent, contact_id: silentContact.contactId },
    conflicting: { handle: conflicting.long },
  };
  const { thread_id } = await customerWrote(ctx, { channelId, handle: done, name: "Dilek", at: now });
  return { contacts, closedThreadId: thread_id };
}

/** Returns this many different new numbers, which have the outcome `read` in the simulator. */
export function newHandles(count: number): string[] {
  const handles = new Set<string>();
  while (handles.size < count) {
    const handle = `${GERMAN_MOBILE}${digits(8)}`;
    if (!SPECIAL_SUFFIX.test(handle)) handles.add(handle);
  }
  return [...handles];
}

/** Returns a new Brazilian mobile number in both of its written forms: with the ninth digit, and without. */
export function newTwoFormNumber(): { long: string; short: string } {
  for (;;) {
    const subscriber = `${randomInt(6, 10)}${digits(7)}`;
    const long = `${BRAZILIAN_MOBILE}9${subscriber}`;
    if (!SPECIAL_SUFFIX.test(long)) return { long, short: `${BRAZILIAN_MOBILE}${subscriber}` };
  }
}

/** Returns random decimal digits. The first isn't zero. */
function digits(count: number): string {
  return String(randomInt(10 ** (count - 1), 10 ** count));
}

/** Draws a small PNG (PNG specification, section 5): a disc on a gradient. */
function demoPicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PICTURE_SIDE, 0);
  header.writeUInt32BE(PICTURE_SIDE, 4);
  header.writeUInt8(PNG_HEADER.bitDepth, 8);
  header.writeUInt8(PNG_HEADER.colourTypeRgb, 9);
  const lines = Array.from({ length: PICTURE_SIDE }, (_, y) => Buffer.from([0, ...lineOf(y)]));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns red, green and blue of each pixel in the line. */
function lineOf(y: number): number[] {
  const middle = (PICTURE_SIDE - 1) / 2;
  return Array.from({ length: PICTURE_SIDE }, (_, x) => x).flatMap((x) =>
    Math.hypot(x - middle, y - middle) < PICTURE_SIDE / 3 ? [37, 211, 102] : [18, 60 + y, 90 + x],
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
