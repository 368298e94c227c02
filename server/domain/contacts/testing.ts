import { randomInt, randomUUID } from "node:crypto";
import { newId } from "@/db/schema";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { sendMessage } from "@/server/domain/messages/send/send";
import { addTemplate, openConversation, type SendWorld } from "@/server/domain/messages/testing";
import { createUpload } from "@/server/domain/uploads/create";
import { fileOf, SAMPLES } from "@/server/domain/uploads/testing";
import { processCallbacks } from "@/server/domain/callbacks/process";
import { bytesOf, callback, inbound, post, status } from "@/server/domain/callbacks/testing";
import { addEndpoint } from "@/server/domain/webhooks/testing";
import { accepting, graphError, wamidOf } from "@/server/adapters/whatsapp/testing";

/** A customer of the world's channel, whose names end up in every place that Waypost stores. */
export interface TestPerson {
  readonly world: SendWorld;
  readonly phoneNumberId: string;
  /** A Brazilian number as dialled. */
  readonly number: string;
  /** The same number as WhatsApp writes it. */
  readonly otherForm: string;
  readonly userId: string;
  readonly name: string;
  /** A secret in everything that the person wrote and received. */
  readonly secret: string;
  /** WhatsApp's profile of the person. */
  readonly profile: object;
  /** The upstream's words about a message to the person. */
  readonly quote: string;
  /** Words that identify every copy: names, and message contents. */
  readonly words: readonly string[];
}

const newWamid = () => `wamid.${randomUUID()}`;

export async function newPerson(world: SendWorld): Promise<TestPerson> {
  const [channel] = await world.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${world.channelId}`;
  // Webhooks to this endpoint also store customers' messages.
  await addEndpoint(world.ctx, { url: "https://hooks.example.com/" });
  const mobile = `9${randomInt(10 ** 6, 10 ** 7)}`;
  const [number, otherForm] = [`55119${mobile}`, `5511${mobile}`];
  const userId = `BR.${randomInt(2 ** 47)}`;
  const [name, secret] = [`Ana ${randomUUID()}`, `secret ${randomUUID()}`];
  return {
    world,
    phoneNumberId: channel?.phoneNumberId ?? "",
    number,
    otherForm,
    userId,
    name,
    secret,
    profile: { profile: { name }, wa_id: otherForm, user_id: userId },
    quote: `No such user: ${number}, ${secret}`,
    words: [number, otherForm, userId, secret, name],
  };
}

/** Stores a callback of the channel. @returns the HTTP status of the response. */
export async function take({ world, phoneNumberId }: TestPerson, ...values: object[]): Promise<number> {
  return post(world.services, world.channelId, bytesOf(callback(phoneNumberId, ...values)));
}

export async function takeAndProcess(person: TestPerson, ...values: object[]): Promise<void> {
  await take(person, ...values);
  await processCallbacks(person.world.services, person.world.channelId);
}

/** A callback's change in which the person writes. */
export function written(
  { otherForm, userId, profile, secret }: TestPerson,
  fields: object = { text: { body: secret } },
  wamid = newWamid(),
): object {
  const message = { from: otherForm, from_user_id: userId, ...fields };
  return { ...inbound(otherForm, wamid, message), contacts: [profile] };
}

/** A callback's change in which the upstream reports on messages: by our ids, and with every name of the person. */
export function reported(person: TestPerson, kind: string, messageIds: readonly string[]): object {
  const statuses = messageIds.map((id) =>
    status(kind, wamidOf(id), { ...naming(person, kind), biz_opaque_callback_data: id }),
  );
  return { contacts: [person.profile], statuses };
}

const naming = ({ otherForm, userId, quote }: TestPerson, kind: string) => ({
  recipient_id: otherForm,
  recipient_user_id: userId,
  ...(kind === "failed"
    ? { errors: [{ code: 131009, title: "Undeliverable", error_data: { details: quote } }] }
    : {}),
});

/** Finds the contact of that name; empty if there is none. */
export async function contactCalled({ world }: TestPerson, handle: string): Promise<string> {
  const [row] = await world.sql<{ id: string }[]>`
    select contact_id as id from contact_identities
    where organization_id = ${world.ctx.actor.organizationId} and handle = ${handle}`;
  return row?.id ?? "";
}

/** The person is first known by WhatsApp's id only, then also by the number: two contacts that prove to be one. */
export async function writeUnderTwoNames(person: TestPerson) {
  const { world, userId, number, name, secret } = person;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const text = { from_user_id: userId, id: newWamid(), timestamp, type: "text", text: { body: secret } };
  await takeAndProcess(person, {
    contacts: [{ profile: { name: name }, user_id: userId }],
    messages: [text],
  });
  const mergedId = await contactCalled(person, userId);
  const { contactId, threadId } = await openConversation(world.ctx, world.channelId, number);
  await takeAndProcess(person, written(person));
  return { contactId, mergedId, threadId };
}

/** Writes messages of different types, a notice and a preference. @returns the wamid of the last message. */
export async function writeOfEveryKind(person: TestPerson): Promise<string> {
  const { otherForm, number, profile, name, secret } = person;
  const wamid = newWamid();
  const card = { name: { formatted_name: name }, phones: [{ phone: number }] };
  const notice = { from: otherForm, id: newWamid(), timestamp: "1", type: "system", system: { body: name } };
  const preference = { wa_id: otherForm, detail: secret, category: "marketing_messages", value: "stop" };
  await takeAndProcess(
    person,
    written(person, { type: "image", image: { id: "1", mime_type: "image/png", caption: secret } }),
    written(person, { type: "location", location: { latitude: 1, longitude: 2, name: secret } }),
    written(person, { type: "reaction", reaction: { message_id: newWamid(), emoji: secret } }),
    written(person, { type: "contacts", contacts: [card] }),
    { messages: [notice] },
    { contacts: [profile], user_preferences: [preference] },
    written(person, { type: "of_tomorrow", of_tomorrow: { deep: [{ said: secret, by: number }] } }, wamid),
  );
  return wamid;
}

async function send({ world }: TestPerson, threadId: string, message: object): Promise<string> {
  const input = { ...message, client_message_id: randomUUID(), thread_id: threadId };
  return (await sendMessage({ ctx: world.ctx, input: Object(input) })).message_id;
}

export function sendText(person: TestPerson, threadId: string): Promise<string> {
  return send(person, threadId, { type: "text", text: { body: person.secret } });
}

interface TestUpload {
  readonly id: string;
  readonly storageKey: string;
}

/** Stores a file that the upstream already has, so that it needn't be uploaded again. */
export async function keepUpload({ world, secret }: TestPerson): Promise<TestUpload> {
  const { ctx, sql, channelId } = world;
  const file = fileOf(SAMPLES.png, { filename: `${secret}.png` });
  const { storage_key: storageKey } = await createUpload({ ctx, input: { file } });
  const [row] = await sql<{ id: string }[]>`select id from uploads where storage_key = ${storageKey}`;
  const id = row?.id ?? "";
  await sql`
    insert into upload_media (id, organization_id, upload_id, channel_id, media_id, expires_at)
    values (${newId()}, ${ctx.actor.organizationId}, ${id}, ${channelId}, 'media-1', now() + interval '1 day')`;
  return { id, storageKey };
}

export function sendFile(person: TestPerson, threadId: string, { storageKey }: TestUpload): Promise<string> {
  const media = { storage_key: storageKey };
  return send(person, threadId, { type: "image", text: { body: person.secret }, media });
}

/** Sends a message for each way in which words about a message are stored. Afterwards only the retried one waits. */
export async function sendOfEveryKind(person: TestPerson, threadId: string, upload: TestUpload) {
  const { world, quote, secret } = person;
  const drain = () => drainChannel(world.services, world.channelId);
  const template = await addTemplate(world.ctx, world.channelId, { variables: ["1"] });
  const values = { template_submission_id: template.id, variables: { "1": secret } };
  world.upstream.behave(accepting);
  const read = await sendText(person, threadId);
  const others = [
    await send(person, threadId, { type: "template", template: values }),
    await sendFile(person, threadId, upload),
  ];
  await drain();
  world.upstream.behave(graphError(131009, 400, quote));
  const refused = await sendText(person, threadId);
  await drain();
  world.upstream.behave(graphError(131000, 500, quote));
  const retried = await sendText(person, threadId);
  await drain();
  world.upstream.behave(accepting);
  await world.sql`update messages set hold_until = now() where id = ${retried}`;
  const failed = await sendText(person, threadId);
  await drain();
  const stranger = { statuses: [status("failed", newWamid(), naming(person, "failed"))] };
  await takeAndProcess(
    person,
    reported(person, "failed", [failed]),
    reported(person, "read", [read]),
    stranger,
  );
  return { ids: [read, ...others, refused, retried, failed], retried };
}
