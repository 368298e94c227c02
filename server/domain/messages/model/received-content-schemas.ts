import { z } from "zod";

const text = z.object({ body: z.string() });

const file = z.object({
  id: z.string().meta({
    description:
      "WhatsApp's id of the file. Waypost downloads the file soon after the message: get it with " +
      "`GET /messages/{id}/media`",
  }),
  mime_type: z.string().optional().meta({
    description: "Type of the file by its bytes, once Waypost has it. Before, the type that WhatsApp gave",
  }),
  size: z.int().nullable().meta({
    description:
      "Size of the file in bytes. Null until Waypost has downloaded it, and therefore in `message.received`",
  }),
  sha256: z.string().optional(),
  filename: z.string().optional().meta({
    description: "File name of a document, without a path and without characters that change its direction",
  }),
  caption: z.string().optional(),
  voice: z.boolean().optional().meta({ description: "True for a recorded voice message" }),
  animated: z.boolean().optional().meta({ description: "Whether a sticker is animated" }),
});

const location = z.object({
  latitude: z.number(),
  longitude: z.number(),
  name: z.string().optional(),
  address: z.string().optional(),
  url: z.string().optional(),
});

const texts = z.array(z.string()).optional();

const card = z.object({
  name: z.string().optional(),
  company: z.string().optional(),
  birthday: z.string().optional(),
  phones: texts.meta({ description: "Phone numbers, formatted as on the customer's phone" }),
  emails: texts,
  urls: texts,
  addresses: texts,
});

const reply = z.object({
  id: z.string().optional().meta({ description: "Id of the button or list row, as it was sent" }),
  title: z.string(),
  description: z.string().optional(),
});

const form = z.object({
  name: z.string().optional(),
  response: z.string().meta({ description: "The form's answers as JSON text, unchanged" }),
});

const upstreamId = z.string().meta({
  description:
    "WhatsApp's id of the earlier message. Look the message up by its `message_id`, where one is given",
});

const reaction = z.object({
  message_id: z.guid().nullable().meta({
    description: "The message that the customer reacted to. Null if Waypost doesn't know it",
  }),
  upstream_id: upstreamId,
  emoji: z.string().nullable().meta({ description: "Null if the customer removed the reaction" }),
});

const order = z.object({
  catalog_id: z.string().optional(),
  text: z.string().optional(),
  items: z.array(
    z.object({
      product_id: z.string().optional(),
      quantity: z.number().optional(),
      price: z.number().optional(),
      currency: z.string().optional(),
    }),
  ),
});

const event = z.object({
  kind: z.string().meta({ description: "WhatsApp's name for the event, for example `user_changed_number`" }),
  text: z.string().optional(),
});

const unsupported = z.object({
  kind: z.string().optional().meta({ description: "WhatsApp's name for the message type" }),
  reason: z.string().optional(),
});

const upstreamMessage = z
  .object({ upstream_id: upstreamId })
  .meta({ id: "MessageReference", description: "An earlier message, by WhatsApp's id" });

const product = z
  .object({ catalog_id: z.string().optional(), product_id: z.string().optional() })
  .meta({ id: "ProductReference", description: "A product of a catalog" });

const referral = z
  .record(z.string(), z.string())
  .meta({ id: "Referral", description: "An advertisement or post, as WhatsApp describes it" });

/** Fields that every kind can have beside its own. */
export const SURROUNDINGS = {
  reply_to: upstreamMessage
    .optional()
    .meta({ description: "The message that the customer quotes or replies to" }),
  forwarded: z.boolean().optional().meta({ description: "True if the customer forwarded the message" }),
  product: product.optional().meta({ description: "The product that the customer asks about" }),
  referral: referral.optional().meta({ description: "The advertisement or post that led the customer here" }),
} as const;

export const MEDIA_KINDS = ["image", "audio", "video", "document", "sticker"] as const;

/** Every value of `type`. */
export const RECEIVED_KINDS = [
  "text",
  ...MEDIA_KINDS,
  "location",
  "contacts",
  "reply",
  "form",
  "order",
  "reaction",
  "revoke",
  "event",
  "call",
  "unsupported",
  "unknown",
  "edit",
] as const;

function kind<Name extends ReceivedKind, Shape extends z.ZodRawShape>(
  name: Name,
  component: string,
  description: string,
  shape: Shape,
) {
  return z.object({ type: z.literal(name), ...shape, ...SURROUNDINGS }).meta({ id: component, description });
}

/** Shapes of new content from a customer; an edit contains one of them. */
const ANEW = [
  kind("text", "InboundText", "A text message", { text }),
  z
    .object({ type: z.enum(MEDIA_KINDS), media: file, ...SURROUNDINGS })
    .meta({ id: "InboundMedia", description: "A media file" }),
  kind("location", "InboundLocation", "A location", { location }),
  kind("contacts", "InboundContacts", "Contact cards", { contacts: z.array(card) }),
  kind("reply", "InboundReply", "The button or list row that the customer chose", { reply }),
  kind("form", "InboundForm", "A form that the customer filled in", { form, text: text.optional() }),
  kind("order", "InboundOrder", "An order of products from a catalog", { order }),
  kind("reaction", "InboundReaction", "A reaction to a message", { reaction }),
  kind("revoke", "InboundRevoke", "The customer deleted a message", { revokes: upstreamMessage }),
  kind("event", "InboundEvent", "An event that WhatsApp reports about the customer", { event }),
  kind("call", "InboundCall", "The customer called", {}),
  kind("unsupported", "InboundUnsupported", "A message that WhatsApp can't forward to businesses", {
    unsupported,
  }),
  kind("unknown", "InboundUnknown", "A WhatsApp message type that Waypost doesn't know or can't read", {
    detail: z.unknown().optional().meta({ description: "The content as WhatsApp sent it" }),
  }),
] as const;

const edit = kind("edit", "InboundEdit", "The customer edited a message", {
  edits: upstreamMessage.extend({
    content: z
      .discriminatedUnion("type", ANEW)
      .optional()
      .meta({ description: "The content of the message after the edit", ...discriminator(ANEW) }),
  }),
});

/** Every kind, in the documentation's order. */
export const RECEIVED_CONTENTS = [...ANEW, edit] as const;

/** The content of a customer's message: `type` is the kind, and selects the shape. */
export const receivedContent = z.discriminatedUnion("type", RECEIVED_CONTENTS).meta({
  description:
    "What the customer sent. `type` is the kind of content and determines the other fields. New kinds can be " +
    "added: treat a kind that you don't know as `unknown`",
  ...discriminator(RECEIVED_CONTENTS),
});

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;

export type ReceivedContent = Frozen<z.infer<typeof receivedContent>>;
export type ReceivedKind = (typeof RECEIVED_KINDS)[number];

/** Returns the values of `type` that a shape has. */
export function kindsOf(shape: z.ZodObject): readonly ReceivedKind[] {
  const { type } = shape.shape;
  return RECEIVED_KINDS.filter((kind) => type?.safeParse(kind).success);
}

/** For OpenAPI, which finds the shape by a reference. */
function discriminator(shapes: readonly z.ZodObject[]) {
  const mapping = shapes.flatMap((shape) =>
    kindsOf(shape).map((kind) => [kind, `#/components/schemas/${shape.meta()?.id}`]),
  );
  return { discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) } };
}
