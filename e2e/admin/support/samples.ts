import { resetPasswordLink } from "@/e2e/support/cli";
import { until } from "@/e2e/support/until";
import { inviteMember } from "@/server/domain/members/invite";
import { addEndpoint, addPastDeliveries, PUBLIC_URL } from "@/server/domain/webhooks/testing";
import { ENDINGS, newNumber, send } from "./send";
import type { Suite } from "./suite";

/** Ids and words of one organization that has an example of everything, by name. */
export type Samples = Readonly<Record<string, string>>;

export async function makeSamples(suite: Suite): Promise<Samples> {
  const { world, key } = suite;
  const { demo, ctx, services, server } = world;
  const read = await send(suite, newNumber(ENDINGS.read));
  const failed = await send(suite, newNumber(ENDINGS.windowClosed));
  const refused = await refuse(suite);
  const { token } = await inviteMember({ ctx, input: { email: INVITED, role: "agent" } });
  const resetLink = await resetPasswordLink(server, demo.sign_in.email);
  const [contact] = await services.sql<{ name: string }[]>`
    select name from contacts where organization_id = ${ctx.actor.organizationId}
      and id = ${demo.contacts.open_window.contact_id}`;
  const [conversation] = await services.sql<{ id: string }[]>`
    select id from conversations where organization_id = ${ctx.actor.organizationId}
      and contact_id = ${demo.contacts.open_window.contact_id} and channel_id = ${demo.channels.default}`;
  const received = await until("the inbox has heard of a message that was read", async () => {
    const [row] = await services.sql<{ id: string }[]>`
      select id from demo_inbox where organization_id = ${ctx.actor.organizationId} and type = 'message.read'`;
    return row?.id;
  });
  // Nothing more is sent to it: all events have happened.
  await until("every message has come to its end", () => haveEnded(suite, [read.id, failed.id]));
  const webhook = await addEndpoint(ctx, { url: PUBLIC_URL, description: "Warehouse" });
  const [delivery = ""] = await addPastDeliveries(ctx, webhook.id, { state: "failed", messageId: read.id });
  return {
    organization: demo.organization_id,
    email: demo.sign_in.email,
    invited: INVITED,
    invitationToken: token,
    resetToken: new URL(resetLink).hash.slice(1),
    channel: demo.channels.default,
    phoneNumberId: demo.phone_number_ids.default,
    contact: demo.contacts.open_window.contact_id,
    contactName: contact?.name ?? "",
    number: demo.contacts.open_window.handle,
    conversation: conversation?.id ?? "",
    key: key.id,
    clientMessageId: read.clientMessageId,
    message: failed.id,
    request: refused.requestId,
    refusedClientMessageId: refused.clientMessageId,
    template: demo.templates.approved.template_submission_id,
    templateName: demo.templates.approved.name,
    received,
    webhook: webhook.id,
    delivery,
  };
}

const INVITED = "invited@example.com";

/** A request with an invalid number. */
async function refuse({ api, key }: Suite) {
  const clientMessageId = `refused-${crypto.randomUUID()}`;
  const to = { kind: "whatsapp", handle: "1" };
  const json = { client_message_id: clientMessageId, type: "text", to, text: { body: "Hello" } };
  const { headers } = await api.call({ path: "/messages", key: key.secret, json });
  return { clientMessageId, requestId: String(headers["x-request-id"]) };
}

async function haveEnded({ world: { services } }: Suite, ids: readonly string[]): Promise<boolean> {
  const rows = await services.sql`
    select from messages where id in ${services.sql(ids)} and state in ('read', 'failed')`;
  return rows.length === ids.length;
}
