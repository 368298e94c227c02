import { randomUUID } from "node:crypto";

/** Ids of one organization's objects. `unknown` are well-formed ids that don't exist. */
export interface Ids {
  readonly message: string;
  readonly thread: string;
  readonly channel: string;
  readonly template: string;
  readonly contact: string;
  /** WhatsApp's id of a contact whose window is open. */
  readonly person: string;
  readonly key: string;
  /** A refused one. */
  readonly request: string;
  readonly member: string;
  readonly invitation: string;
  readonly session: string;
  readonly upload: string;
  readonly webhook: string;
  readonly delivery: string;
  /** One in the demo's inbox. */
  readonly received: string;
}

/** Ids of the caller's own objects. */
export type Own = Pick<Ids, "key" | "thread" | "channel" | "webhook">;

const IDEMPOTENCY_TOKEN = randomUUID();
const send = { client_message_id: "isolation", type: "text", text: { body: "Hi" } };
const PHONE = { customer: "4915112345678" };
const answer = { type: "text", body: "Hi" };
const testSend = {
  idempotencyToken: IDEMPOTENCY_TOKEN,
  number: "+49 151 12345678",
  content: { type: "text", body: "Hi" },
};

/**
 * Every way in which a procedure accepts an id, by procedure and path of the field. A missing one fails the first test.
 */
export const CASES: Readonly<Record<string, Readonly<Record<string, (ids: Ids, own: Own) => unknown>>>> = {
  "account.endSession": { sessionId: ({ session }) => ({ sessionId: session }) },
  "members.setRights": { memberId: ({ member }) => ({ memberId: member, role: "agent", permissions: [] }) },
  "members.remove": { memberId: ({ member }) => ({ memberId: member }) },
  "members.withdrawInvitation": { invitationId: ({ invitation }) => ({ invitationId: invitation }) },
  "audit.count": { actorId: ({ key }) => ({ actorId: key }), subjectId: ({ key }) => ({ subjectId: key }) },
  "audit.list": { actorId: ({ key }) => ({ actorId: key }), subjectId: ({ key }) => ({ subjectId: key }) },
  "contacts.get": { contact_id: ({ contact }) => ({ contact_id: contact }) },
  "contacts.update": { contact_id: ({ contact }) => ({ contact_id: contact, name: "Ada" }) },
  "threads.get": { thread_id: ({ thread }) => ({ thread_id: thread }) },
  "threads.list": {
    contact_id: ({ contact }) => ({ contact_id: contact }),
    channel_id: ({ channel }) => ({ channel_id: channel }),
  },
  "contacts.inspect": { contactId: ({ contact }) => ({ contactId: contact }) },
  "contacts.previewErasure": { contactId: ({ contact }) => ({ contactId: contact }) },
  "contacts.erase": { contactId: ({ contact }) => ({ contactId: contact }) },
  "conversations.get": { threadId: ({ thread }) => ({ threadId: thread }) },
  "conversations.timeline": { threadId: ({ thread }) => ({ threadId: thread }) },
  "conversations.list": {
    channelId: ({ channel }) => ({ channelId: channel }),
    assignee: ({ member }) => ({ assignee: member }),
  },
  "conversations.close": { threadId: ({ thread }) => ({ threadId: thread }) },
  "conversations.reopen": { threadId: ({ thread }) => ({ threadId: thread }) },
  "conversations.assign": {
    threadId: ({ thread }) => ({ threadId: thread, memberId: null }),
    memberId: ({ member }, own) => ({ threadId: own.thread, memberId: member }),
  },
  "conversations.note": {
    threadId: ({ thread }) => ({ threadId: thread, idempotencyToken: IDEMPOTENCY_TOKEN, body: "Hi" }),
  },
  "conversations.answer": {
    threadId: ({ thread }) => ({ threadId: thread, idempotencyToken: IDEMPOTENCY_TOKEN, content: answer }),
    "content.templateId": ({ template }, own) => ({
      threadId: own.thread,
      idempotencyToken: IDEMPOTENCY_TOKEN,
      content: { type: "template", templateId: template },
    }),
    "content.messageId": ({ message }, own) => ({
      threadId: own.thread,
      idempotencyToken: IDEMPOTENCY_TOKEN,
      content: { type: "reaction", messageId: message, emoji: "👍" },
    }),
    "content.storageKey": ({ upload }, own) => ({
      threadId: own.thread,
      idempotencyToken: IDEMPOTENCY_TOKEN,
      content: { type: "image", storageKey: upload },
    }),
    replyTo: ({ message }, own) => ({
      threadId: own.thread,
      idempotencyToken: IDEMPOTENCY_TOKEN,
      content: answer,
      replyTo: message,
    }),
  },
  "keys.create": { channelIds: ({ channel }) => ({ name: "New", channelIds: [channel] }) },
  "keys.rotate": { keyId: ({ key }) => ({ keyId: key, overlapSeconds: 0 }) },
  // Another organization's secret with the caller's own key: server/domain/keys/end-former-secret.test.ts.
  "keys.endFormerSecret": {
    keyId: ({ key }) => ({ keyId: key, secretId: key }),
    secretId: ({ key }, own) => ({ keyId: own.key, secretId: key }),
  },
  "keys.get": { keyId: ({ key }) => ({ keyId: key }) },
  "keys.set": {
    keyId: ({ key }) => ({ keyId: key, sendLimit: 1 }),
    channelIds: ({ channel }, own) => ({ keyId: own.key, channelIds: [channel] }),
  },
  "keys.revoke": { keyId: ({ key }) => ({ keyId: key }) },
  "requests.count": {
    keyId: ({ key }) => ({ keyId: key }),
    anyId: ({ request }) => ({ anyId: request }),
    requestId: ({ request }) => ({ requestId: request }),
  },
  "requests.summary": { keyId: ({ key }) => ({ keyId: key }) },
  "requests.list": {
    keyId: ({ key }) => ({ keyId: key }),
    anyId: ({ request }) => ({ anyId: request }),
    requestId: ({ request }) => ({ requestId: request }),
  },
  "requests.get": { requestId: ({ request }) => ({ requestId: request }) },
  "usage.summary": {
    channelId: ({ channel }) => ({ range: "24h", channelId: channel }),
    keyId: ({ key }) => ({ range: "24h", keyId: key }),
  },
  "messages.list": {
    channel_id: ({ channel }) => ({ channel_id: channel }),
    thread_id: ({ thread }) => ({ direction: "any", thread_id: thread }),
    contact_id: ({ contact }) => ({ direction: "any", contact_id: contact }),
  },
  "messages.count": {
    channelId: ({ channel }) => ({ channelId: channel }),
    keyId: ({ key }) => ({ keyId: key }),
  },
  "messages.search": {
    channelId: ({ channel }) => ({ channelId: channel }),
    keyId: ({ key }) => ({ keyId: key }),
  },
  "messages.inspect": { messageId: ({ message }) => ({ messageId: message }) },
  "messages.resend": {
    messageId: ({ message }) => ({ messageId: message, idempotencyToken: IDEMPOTENCY_TOKEN }),
  },
  "messages.sendTest": {
    channelId: ({ channel }) => ({ ...testSend, channelId: channel }),
    "content.templateId": ({ template }, own) => ({
      ...testSend,
      channelId: own.channel,
      content: { type: "template", templateId: template },
    }),
  },
  "inbox.get": { receivedId: ({ received }) => ({ receivedId: received }) },
  "webhooks.create": { channel_ids: ({ channel }) => ({ url: null, channel_ids: [channel] }) },
  "webhooks.get": { id: ({ webhook }) => ({ id: webhook }) },
  "webhooks.set": {
    id: ({ webhook }) => ({ id: webhook, enabled: false }),
    channel_ids: ({ channel }, own) => ({ id: own.webhook, channel_ids: [channel] }),
  },
  "webhooks.remove": { id: ({ webhook }) => ({ id: webhook }) },
  "webhooks.rotateSecret": { id: ({ webhook }) => ({ id: webhook }) },
  "webhooks.test": { id: ({ webhook }) => ({ id: webhook }) },
  "webhooks.deliveries": {
    id: ({ webhook }) => ({ id: webhook }),
    message_id: ({ message }, own) => ({ id: own.webhook, message_id: message }),
    contact_id: ({ contact }, own) => ({ id: own.webhook, contact_id: contact }),
  },
  "webhooks.redeliver": {
    id: ({ webhook, delivery }) => ({ id: webhook, delivery_id: delivery }),
    delivery_id: ({ delivery }, own) => ({ id: own.webhook, delivery_id: delivery }),
  },
  "webhooks.replay": {
    id: ({ webhook }) => ({ id: webhook, since: "2026-01-31T12:00:00Z", only: "failed" }),
  },
  "webhooks.inspect": { id: ({ webhook }) => ({ id: webhook }) },
  "webhooks.inspectDelivery": {
    id: ({ webhook, delivery }) => ({ id: webhook, delivery_id: delivery }),
    delivery_id: ({ delivery }, own) => ({ id: own.webhook, delivery_id: delivery }),
  },
  "webhooks.deliveriesOfMessage": { message_id: ({ message }) => ({ message_id: message }) },
  "phone.act": {
    channelId: ({ channel }) => ({ ...PHONE, channelId: channel, act: { kind: "read" } }),
  },
  "phone.file": { channelId: ({ channel }) => ({ ...PHONE, channelId: channel, media: "1" }) },
  "phone.get": { channelId: ({ channel }) => ({ ...PHONE, channelId: channel }) },
  "phone.setNextOutcome": { channelId: ({ channel }) => ({ ...PHONE, channelId: channel, outcome: "slow" }) },
  "channels.get": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.set": { channelId: ({ channel }) => ({ channelId: channel, name: "Taken" }) },
  "channels.renewVerifyToken": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.makeDefault": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.disable": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.enable": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.resume": { channelId: ({ channel }) => ({ channelId: channel }) },
  "templates.get": { templateId: ({ template }) => ({ templateId: template }) },
  "templates.search": { channelId: ({ channel }) => ({ channelId: channel }) },
  "templates.list": { channel_id: ({ channel }) => ({ channel_id: channel }) },
  "messages.markRead": { id: ({ message }) => ({ id: message }) },
  "messages.get": { id: ({ message }) => ({ id: message }) },
  "messages.media": { id: ({ message }) => ({ id: message }) },
  "messages.send": {
    thread_id: ({ thread }) => ({ ...send, thread_id: thread }),
    channel_id: ({ channel }) => ({
      ...send,
      channel_id: channel,
      to: { kind: "whatsapp", handle: "4915112345678" },
    }),
    "to.user_id": ({ person }) => ({ ...send, to: { kind: "whatsapp_user", user_id: person } }),
    "reply_to.message_id": ({ message }, own) => ({
      ...send,
      thread_id: own.thread,
      reply_to: { message_id: message },
    }),
    "reaction.message_id": ({ message }, own) => ({
      client_message_id: "isolation",
      thread_id: own.thread,
      type: "reaction",
      reaction: { message_id: message, emoji: "👍" },
    }),
    "template.template_submission_id": ({ template }, own) => ({
      client_message_id: "isolation",
      thread_id: own.thread,
      type: "template",
      template: { template_submission_id: template },
    }),
    "media.storage_key": ({ upload }, own) => ({
      client_message_id: "isolation",
      thread_id: own.thread,
      type: "image",
      media: { storage_key: upload },
    }),
  },
};
