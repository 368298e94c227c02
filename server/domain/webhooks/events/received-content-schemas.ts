import { z } from "zod";

const text = z.object({ body: z.string() });

const file = z.object({
  id: z.string().meta({
    description:
      "WhatsApp's id of the file, which WhatsApp keeps for seven days. Waypost doesn't fetch files: get it from Meta's Cloud " +
      "API, with an access token for the number",
  }),
  mime_type: z.string().optional(),
  sha256: z.string().optional(),
  filename: z.string().optional().meta({ description: "Of a document" }),
  caption: z.string().optional(),
  voice: z.boolean().optional().meta({ description: "True for a recorded voice message" }),
  animated: z.boolean().optional().meta({ description: "Of a sticker" }),
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
  phones: texts.meta({ description: "As the customer's telephone writes them" }),
  emails: texts,
  urls: texts,
  addresses: texts,
});

const reply = z.object({
  id: z.string().optional().meta({ description: "Of the button or list row, as it was sent" }),
  title: z.string(),
  description: z.string().optional(),
});

const form = z.object({
  name: z.string().optional(),
  response: z.string().meta({ description: "JSON text, as the form made it" }),
});

const upstreamId = z.string().meta({
  description:
    "WhatsApp's id of the earlier message. The API shows no message's WhatsApp id, so you can't find that message by it",
});

const reaction = z.object({
  upstream_id: upstreamId,
  emoji: z.string().nullable().meta({ description: "Null takes the reaction back" }),
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
  kind: z.string().meta({ description: "WhatsApp's word, such as `user_changed_number`" }),
  text: z.string().optional(),
});

const unsupported = z.object({
  kind: z.string().optional().meta({ description: "WhatsApp's word for what it was" }),
  reason: z.string().optional(),
});

const upstreamMessage = z.object({ upstream_id: upstreamId });

/** What every kind can have beside its own fields. */
export const SURROUNDINGS = {
  reply_to: upstreamMessage
    .optional()
    .meta({ description: "The message that the customer quotes or answers" }),
  forwarded: z.boolean().optional().meta({ description: "True where the customer forwarded it" }),
  product: z
    .object({ catalog_id: z.string().optional(), product_id: z.string().optional() })
    .optional()
    .meta({ description: "The product that the customer asks about" }),
  referral: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: "The advertisement or post that led the customer here" }),
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

/** Shapes of what a customer can send anew; an edit holds one of them. */
const ANEW = [
  kind("text", "InboundText", "A text", { text }),
  z
    .object({ type: z.enum(MEDIA_KINDS), media: file, ...SURROUNDINGS })
    .meta({ id: "InboundMedia", description: "A file" }),
  kind("location", "InboundLocation", "A place", { location }),
  kind("contacts", "InboundContacts", "Contact cards", { contacts: z.array(card) }),
  kind("reply", "InboundReply", "The button or list row that the customer chose", { reply }),
  kind("form", "InboundForm", "A form that the customer filled in", { form, text: text.optional() }),
  kind("order", "InboundOrder", "Products that the customer orders from a catalog", { order }),
  kind("reaction", "InboundReaction", "A reaction to a message", { reaction }),
  kind("revoke", "InboundRevoke", "The customer deleted a message", { revokes: upstreamMessage }),
  kind("event", "InboundEvent", "What WhatsApp reports about the customer", { event }),
  kind("call", "InboundCall", "The customer called", {}),
  kind("unsupported", "InboundUnsupported", "What WhatsApp can't pass on", { unsupported }),
  kind("unknown", "InboundUnknown", "A type of WhatsApp's that Waypost doesn't know, or can't read", {
    detail: z.unknown().optional().meta({ description: "As WhatsApp sent it" }),
  }),
] as const;

const edit = kind("edit", "InboundEdit", "The customer changed a message", {
  edits: upstreamMessage.extend({
    content: z
      .discriminatedUnion("type", ANEW)
      .optional()
      .meta({ description: "The message as it is now", ...discriminator(ANEW) }),
  }),
});

/** Every kind, in the order in which documentation shows them. */
export const RECEIVED_CONTENTS = [...ANEW, edit] as const;

/** What a customer sent: `type` is the kind, and selects the shape. */
export const receivedContent = z.discriminatedUnion("type", RECEIVED_CONTENTS).meta({
  description:
    "What the customer sent. `type` is the kind, and selects the shape; kinds can be added, so take one that you don't " +
    "know for `unknown`",
  ...discriminator(RECEIVED_CONTENTS),
});

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;

export type ReceivedContent = Frozen<z.infer<typeof receivedContent>>;
export type ReceivedKind = (typeof RECEIVED_KINDS)[number];

/** Values of `type` that a shape has. */
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
