import { randomBytes } from "node:crypto";
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
import type { Demo } from "./demo";
import { demoPicture } from "./picture";
import { addInboxEndpoint } from "@/server/domain/inbox/endpoint";
import { digits, newHandles, newTwoFormNumber } from "./handles";
import { registerWithSimulator } from "./register";
import { addDemoTemplates } from "./templates";

const THREE_DAYS_MS = 3 * 24 * 60 * 60 * 1000;

export interface DemoOptions {
  readonly services: Services;
  /** Null if no simulator runs: the channels are registered when one starts. */
  readonly simulatorUrl: string | null;
  /** Current or future address of this service, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Creates another demo organization, independent of all others, through the verbs. Registers its two channels with the
 * simulator, and submits its templates there.
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
    templates: { approved: {}, pending: {}, rejected: {}, approved_on_second: {} },
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
