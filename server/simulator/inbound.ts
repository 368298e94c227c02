import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { cameraRoll, cameraRollFile } from "./camera-roll";
import { refuseUnknownNumber } from "./control";
import { callbackError } from "./graph-errors";
import { sendJson, readInput } from "./http";
import { asFields } from "./fields";
import { storeCustomerFile } from "./inbound-media";
import { isMediaKind } from "./media";
import { newWamid, readWamid } from "./wamid";
import { recordEvent, timestampOf } from "./journal";
import type { SimulatorContext } from "./simulator-context";

const word = z.string().min(1).max(512);
const number = z.string().regex(/^[1-9][0-9]{4,14}$/, "expected 5 to 15 digits, the first not 0");
const userId = z
  .string()
  .regex(/^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/, "expected an id such as US.13491208655302741918");
const parentUserId = z
  .string()
  .regex(/^[A-Z]{2}\.ENT\.[A-Za-z0-9]{1,128}$/, "expected an id such as US.ENT.11815799212886844830");

/** A file that the customer's phone has uploaded. `id` and `sha256` are set when it is stored. */
const media = (mimeType: string) =>
  z.looseObject({ mime_type: word.default(mimeType), caption: z.string().max(1024).optional() });

const mediaContent = z.looseObject({ mime_type: z.string() });

const reply = z.strictObject({ id: word, title: word, description: word.optional() });

/** Content of a message of each type, in the field with the type's name (Meta, `messages` webhook reference). */
const contentByType = {
  text: z.strictObject({ body: z.string().min(1).max(4096) }),
  image: media("image/jpeg"),
  audio: media("audio/ogg; codecs=opus"),
  video: media("video/mp4"),
  document: media("application/pdf"),
  sticker: media("image/webp"),
  location: z.strictObject({
    latitude: z.number(),
    longitude: z.number(),
    name: word.optional(),
    address: word.optional(),
    url: word.optional(),
  }),
  contacts: z.array(z.looseObject({})).min(1),
  button: z.strictObject({ text: word, payload: word }),
  interactive: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("button_reply"), button_reply: reply }),
    z.strictObject({ type: z.literal("list_reply"), list_reply: reply }),
    z.strictObject({
      type: z.literal("nfm_reply"),
      nfm_reply: z.strictObject({ name: word.optional(), body: word, response_json: z.string() }),
    }),
  ]),
  // Meta omits the emoji of a reaction that was taken back.
  reaction: z
    .strictObject({ message_id: word, emoji: z.string().max(32).optional() })
    .transform(({ message_id, emoji }) => (emoji ? { message_id, emoji } : { message_id })),
  order: z.looseObject({ catalog_id: word, product_items: z.array(z.looseObject({})) }),
  system: z.looseObject({
    type: z.enum(["user_changed_number", "user_changed_user_id"]),
    body: z.string().optional(),
    wa_id: number.optional(),
    user_id: userId.optional(),
    parent_user_id: parentUserId.optional(),
  }),
  unsupported: z.looseObject({ type: word.optional() }),
  /** The customer changed an earlier message, or deleted it. */
  edit: z.strictObject({ original_message_id: word, message: z.looseObject({ type: word }) }),
  revoke: z.strictObject({ original_message_id: word }),
  call: z.strictObject({}),
  user_preferences: z.strictObject({ value: z.enum(["stop", "resume"]) }),
} as const;

type InboundType = keyof typeof contentByType;

/** The keys of the table. `Object.keys` of a const object that nothing extends, hence the cast. */
const types = Object.keys(contentByType) as [InboundType, ...InboundType[]];

const senderFields = {
  phone_number_id: z.string().min(1),
  from: number.optional(),
  user_id: userId.optional(),
  parent_user_id: parentUserId.optional(),
  username: word.optional(),
  profile_name: word.optional(),
};

const inboundSchema = z
  .strictObject({
    ...senderFields,
    type: z.enum(types).default("text"),
    /** The quoted message, or that the message was forwarded. */
    context: z.looseObject({ id: word.optional(), from: word.optional() }).optional(),
    /** The ad that the customer came from. */
    referral: z.looseObject({}).optional(),
    /** How contacts came to be shared. */
    origin: word.optional(),
    /** The bytes of the message's file, in base64. */
    file: z.base64().optional(),
    /** A message that the business has already: the phone shows it, and no callback reports it. */
    known: z.strictObject({ wamid: word, at: z.iso.datetime() }).optional(),
    /** The name of a file of the phone's camera roll, instead of its bytes. */
    demo_file: z.enum(cameraRoll.map(({ name }) => name)).optional(),
    ...Object.fromEntries(types.map((type) => [type, contentByType[type].optional()])),
  })
  .superRefine((input, issues) => {
    if (input.from === undefined && input.user_id === undefined) {
      issues.addIssue({ code: "custom", path: ["from"], message: "expected from, user_id or both" });
    }
    const unwanted = types.find((type) => type !== input.type && contentOf(input, type) !== undefined);
    const wrong = unwanted ?? (contentOf(input, input.type) === undefined ? input.type : null);
    if (wrong !== null)
      issues.addIssue({ code: "custom", path: [wrong], message: `expected ${input.type} only` });
    const isFileWanted = isMediaKind(input.type) && !("id" in (asFields(contentOf(input, input.type)) ?? {}));
    const field = input.file === undefined ? "demo_file" : "file";
    if (input[field] !== undefined && !isFileWanted) {
      issues.addIssue({
        code: "custom",
        path: [field],
        message: "expected with a media type without an id",
      });
    }
  });

type Sender = z.infer<z.ZodObject<typeof senderFields>>;
type Inbound = Sender & z.infer<typeof inboundSchema>;

/** With the content, in the field with the type's name. */
type CustomersAct = Inbound & Partial<Readonly<Record<InboundType, unknown>>>;

/**
 * `POST /simulator/inbound`: simulates a customer's message, or another event that Meta reports. `type` (default text)
 * and, in the field with its name, the content in Meta's format; the sender in `from` (a number), `user_id`, or both;
 * the bytes of a message's file in `file`.
 * Responds with `{ wamid }` when the callback is stored for delivery; null if it is about no message.
 */
export async function postInbound(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(inboundSchema, request, response);
  if (input === null || refuseUnknownNumber(context, input.phone_number_id, response)) return;
  sendJson(response, 200, { wamid: await receiveFromCustomer(context, input) });
}

/**
 * Lets a customer do something that Meta reports. Resolves when the callback is stored for delivery, to the id of the
 * message; null if it is about no message.
 */
export async function receiveFromCustomer(
  context: SimulatorContext,
  input: CustomersAct,
): Promise<string | null> {
  const at = context.clock.now();
  const { phone_number_id } = input;
  if (input.type === "user_preferences") {
    await recordEvent(context, {
      phone_number_id,
      field: "user_preferences",
      value: preferenceOf(input, at),
      at,
    });
    return null;
  }
  if (input.type === "call") return receiveCall(context, input, at);
  if (input.known !== undefined) return showKnown(context, input, input.known);
  const kind = input.type === "reaction" ? "reaction" : "message";
  const wamid = newWamid("inbound", input.from ?? input.user_id ?? "", kind);
  const chances = context.faults.next(phone_number_id, input.from ?? input.user_id ?? "", "from");
  await recordEvent(context, {
    phone_number_id,
    field: "messages",
    value: messageOf(
      { ...input, context: quoteOf(context, input) },
      { wamid, at, content: await contentToSend(context, input) },
    ),
    at,
    dueAfterMs: chances.timesOf(0),
  });
  return wamid;
}

/** The customer's phone shows a message that the business has already. */
async function showKnown(
  context: SimulatorContext,
  input: Inbound,
  known: { wamid: string; at: string },
): Promise<string> {
  const at = new Date(known.at);
  const { wamid } = known;
  const content = await contentToSend(context, input);
  const { serial } = await recordEvent(context, {
    phone_number_id: input.phone_number_id,
    field: "messages",
    value: messageOf(input, { wamid, at, content }),
    at,
    dueAfterMs: [],
  });
  // The phone shows it as delivered.
  await context.journal.append({ kind: "delivered", at: known.at, callbacks: [`${serial}.0`] });
  return wamid;
}

/** The customer calls. Returns the id of the call. */
async function receiveCall(context: SimulatorContext, input: Inbound, at: Date): Promise<string> {
  const { phone_number_id, from, user_id } = input;
  const id = newWamid("inbound", from ?? user_id ?? "").replace(/^wamid/, "wacid");
  const call = {
    id,
    ...(from === undefined ? {} : { from }),
    ...(user_id === undefined ? {} : { from_user_id: user_id }),
    to: context.numbers.get(phone_number_id)?.display_phone_number.replace(/\D/g, "") ?? "",
    event: "connect",
    timestamp: timestampOf(at),
    direction: "USER_INITIATED",
  };
  const value = { contacts: [contactOf(input)], calls: [call] };
  await recordEvent(context, { phone_number_id, field: "calls", value, at });
  return id;
}

/** Returns the content in the field with the type's name. The schema's fields come from the table, hence the cast. */
function contentOf(input: object, type: InboundType): unknown {
  return (input as Readonly<Record<string, unknown>>)[type];
}

/** Returns the content that the callback has. A file is stored before. */
async function contentToSend(context: SimulatorContext, input: Inbound): Promise<unknown> {
  const content = contentOf(input, input.type);
  if (!isMediaKind(input.type)) return content;
  return storeCustomerFile(context, {
    phoneNumberId: input.phone_number_id,
    content: mediaContent.parse(content),
    base64: input.file ?? (input.demo_file && cameraRollFile(input.demo_file)),
  });
}

/** Adds the author of the quoted message, as Meta does. */
function quoteOf({ numbers }: SimulatorContext, input: Inbound): Inbound["context"] {
  const { context, from, phone_number_id } = input;
  if (context?.id === undefined || context.from !== undefined) return context;
  const isOwn = readWamid(context.id)?.direction === "inbound";
  const author = isOwn ? from : numbers.get(phone_number_id)?.display_phone_number.replace(/\D/g, "");
  return author === undefined ? context : { from: author, ...context };
}

function messageOf(
  input: Inbound,
  { wamid, at, content }: { wamid: string; at: Date; content: unknown },
): object {
  const { type, from, user_id, parent_user_id } = input;
  const message = {
    ...(from === undefined ? {} : { from }),
    ...(user_id === undefined ? {} : { from_user_id: user_id }),
    ...(parent_user_id === undefined ? {} : { from_parent_user_id: parent_user_id }),
    id: wamid,
    timestamp: timestampOf(at),
    ...(input.context && { context: input.context }),
    ...(input.referral && { referral: input.referral }),
    ...(input.origin && { origin: input.origin }),
    ...(type === "unsupported" ? { errors: [callbackError({ error: "type_unsupported" })] } : {}),
    [type]: content,
    type,
  };
  // Meta's system messages have no contacts.
  return type === "system" ? { messages: [message] } : { contacts: [contactOf(input)], messages: [message] };
}

function contactOf({ from, user_id, parent_user_id, username, profile_name }: Sender): object {
  const name = profile_name ?? `Customer ${(from ?? user_id ?? "").slice(-4)}`;
  return {
    profile: { name, ...(username === undefined ? {} : { username }) },
    ...(from === undefined ? {} : { wa_id: from }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(parent_user_id === undefined ? {} : { parent_user_id }),
  };
}

function preferenceOf(input: Inbound, at: Date): object {
  const { value } = contentByType.user_preferences.parse(contentOf(input, "user_preferences"));
  const { from, user_id } = input;
  const preference = {
    ...(from === undefined ? {} : { wa_id: from }),
    ...(user_id === undefined ? {} : { user_id }),
    detail: `User requested to ${value} marketing messages`,
    category: "marketing_messages",
    value,
    timestamp: Math.floor(at.getTime() / 1000),
  };
  return { contacts: [contactOf(input)], user_preferences: [preference] };
}
