import { z } from "zod";
import { cleanFilename } from "@/server/adapters/files/filename";
import type { InboundContent } from "./inbound-content";
import { readGraphError } from "./graph-error";
import { listOf, listOfAll, maybe, maybeText, upstreamId } from "./fields";
import { UNSUPPORTED_TYPES } from "./window";

type Said = Omit<InboundContent, "type">;

/** Maximum length of the stored content of an unknown type. */
const DETAIL_LENGTH_MAX = 16_384;

const number = z.number();

const file = z
  .object({
    id: upstreamId,
    mime_type: maybeText,
    sha256: maybeText,
    filename: maybeText.transform((name) => cleanFilename(name) ?? undefined),
    caption: maybeText,
    voice: maybe(z.boolean()),
    animated: maybe(z.boolean()),
  })
  .transform((media): Said => ({ media }));

const location = z
  .object({ latitude: number, longitude: number, name: maybeText, address: maybeText, url: maybeText })
  .transform((place): Said => ({ location: place }));

const card = z
  .object({
    name: maybe(z.object({ formatted_name: maybeText })),
    org: maybe(z.object({ company: maybeText })),
    birthday: maybeText,
    phones: listOf(z.object({ phone: z.string() })),
    emails: listOf(z.object({ email: z.string() })),
    urls: listOf(z.object({ url: z.string() })),
    addresses: listOf(
      z.object({ street: maybeText, city: maybeText, state: maybeText, zip: maybeText, country: maybeText }),
    ),
  })
  .transform(({ name, org, birthday, phones, emails, urls, addresses }) => ({
    name: name?.formatted_name,
    company: org?.company,
    birthday,
    phones: filled(phones.map(({ phone }) => phone)),
    emails: filled(emails.map(({ email }) => email)),
    urls: filled(urls.map(({ url }) => url)),
    addresses: filled(
      addresses.map(({ street, zip, city, state, country }) =>
        [street, zip, city, state, country].filter(Boolean).join(", "),
      ),
    ),
  }));

const title = z.object({ id: maybeText, title: z.string(), description: maybeText });

const interactive = z.union([
  z.object({ button_reply: title }).transform(({ button_reply }): Said => ({ reply: button_reply })),
  z.object({ list_reply: title }).transform(({ list_reply }): Said => ({ reply: list_reply })),
  z
    .object({ nfm_reply: z.object({ name: maybeText, body: maybeText, response_json: z.string() }) })
    .transform(({ nfm_reply: { name, body, response_json } }): Said => ({
      form: { name, response: response_json },
      ...(body === undefined ? {} : { text: { body } }),
    })),
]);

const order = z
  .object({
    catalog_id: maybeText,
    text: maybeText,
    product_items: listOf(
      z.object({
        product_retailer_id: maybeText,
        quantity: maybe(number),
        item_price: maybe(number),
        currency: maybeText,
      }),
    ),
  })
  .transform(({ catalog_id, text, product_items }): Said => ({
    order: {
      catalog_id,
      text,
      items: product_items.map(({ product_retailer_id, quantity, item_price, currency }) => ({
        product_id: product_retailer_id,
        quantity,
        price: item_price,
        currency,
      })),
    },
  }));

const edit = z
  .object({ original_message_id: upstreamId, message: maybe(z.record(z.string(), z.unknown())) })
  .transform(({ original_message_id, message }): Said => ({
    edits: {
      upstream_id: original_message_id,
      ...(typeof message?.type === "string" ? { content: sayingOf(message.type, message) } : {}),
    },
  }));

/** Parses the content of each type, which is in the field named after the type. */
const SAYINGS: Readonly<Record<string, z.ZodType<Said>>> = {
  text: z.object({ body: z.string() }).transform(({ body }) => ({ text: { body } })),
  image: file,
  audio: file,
  video: file,
  document: file,
  sticker: file,
  location,
  contacts: listOfAll(card).transform((contacts) => ({ contacts })),
  button: z
    .object({ payload: maybeText, text: z.string() })
    .transform(({ payload, text }) => ({ reply: { id: payload, title: text } })),
  interactive,
  // Without an emoji, the reaction is removed.
  reaction: z
    .object({ message_id: upstreamId, emoji: maybeText })
    .transform(({ message_id, emoji }) => ({ reaction: { upstream_id: message_id, emoji: emoji || null } })),
  order,
  system: z
    .object({ type: z.string(), body: maybeText })
    .transform(({ type, body }) => ({ event: { kind: type, text: body } })),
  edit,
  revoke: z
    .object({ original_message_id: upstreamId })
    .transform(({ original_message_id }) => ({ revokes: { upstream_id: original_message_id } })),
};

const unsupported = z.object({
  unsupported: maybe(z.object({ type: maybeText })),
  errors: maybe(z.array(z.unknown())),
});

const surroundings = z.object({
  context: maybe(
    z.object({
      id: maybe(upstreamId),
      forwarded: maybe(z.boolean()),
      frequently_forwarded: maybe(z.boolean()),
      referred_product: maybe(z.object({ catalog_id: maybeText, product_retailer_id: maybeText })),
    }),
  ),
  referral: maybe(
    z.object({
      source_type: maybeText,
      source_id: maybeText,
      source_url: maybeText,
      headline: maybeText,
      body: maybeText,
      ctwa_clid: maybeText,
    }),
  ),
});

/**
 * Converts a message's content from Meta's format. Content of an unknown type, or unreadable content, is kept as it is.
 */
export function contentOf(type: string, entry: Readonly<Record<string, unknown>>): InboundContent {
  const { context, referral } = surroundings.safeParse(entry).data ?? {};
  return {
    ...sayingOf(type, entry),
    ...(context?.id === undefined ? {} : { reply_to: { upstream_id: context.id } }),
    ...(context?.forwarded || context?.frequently_forwarded ? { forwarded: true } : {}),
    ...(context?.referred_product ? { product: productOf(context.referred_product) } : {}),
    ...(referral ? { referral: referralOf(referral) } : {}),
  };
}

function sayingOf(type: string, entry: Readonly<Record<string, unknown>>): InboundContent {
  if (UNSUPPORTED_TYPES.includes(type)) return { type, unsupported: whyUnsupported(entry) };
  const below = Object.hasOwn(entry, type) ? entry[type] : undefined;
  const saying = Object.hasOwn(SAYINGS, type) ? SAYINGS[type]?.safeParse(below) : undefined;
  if (saying?.success) return { type, ...saying.data };
  const isShort = below !== undefined && JSON.stringify(below).length <= DETAIL_LENGTH_MAX;
  return isShort ? { type, detail: below } : { type };
}

function whyUnsupported(entry: unknown): NonNullable<InboundContent["unsupported"]> {
  const { data } = unsupported.safeParse(entry);
  return { kind: data?.unsupported?.type, reason: readGraphError(data?.errors?.[0])?.words ?? undefined };
}

function productOf(product: { catalog_id?: string; product_retailer_id?: string }) {
  return { catalog_id: product.catalog_id, product_id: product.product_retailer_id };
}

function referralOf({ ctwa_clid, ...rest }: Record<string, string | undefined>): Record<string, string> {
  const named = Object.entries({ ...rest, click_id: ctwa_clid });
  return Object.fromEntries(named.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

function filled<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}
