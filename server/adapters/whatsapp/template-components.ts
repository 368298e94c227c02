import { z } from "zod";

/** What a message must bring for one part of a template, and how a call says it. */
interface Part {
  /** Names of the values, in order. */
  readonly variables: readonly string[];
  /** The component of a call; null for a part that needs what no text can say, which is left out of the call. */
  readonly fill: ((valueOf: (variable: string) => string) => unknown) | null;
}

/**
 * Names of the values that a message with the template must bring, in order (Meta, "Message template components",
 * https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/components):
 * - `1`, or the name where parameters are named: a placeholder of the text;
 * - `header.1`: a placeholder of the header; `header.url`: the https address of its image, video or document;
 *   `header.latitude` and so on: of its location or product;
 * - `button.0.1`: the placeholder of the first button's address; `button.0.code`: the code that it copies;
 * - `card.0.1`, `card.0.header.url`, `card.0.button.0.1`: the same in the first card of a carousel;
 * - `limited_time_offer.expiration_time_ms`: when the offer ends, in Unix milliseconds.
 *
 * A part that no text can fill is named too, such as `button.0.sections` of a list of products: a message with that
 * template is left to the upstream to refuse. Never throws, whatever the components are.
 */
export function templateVariables(components: readonly unknown[]): string[] {
  return [...new Set(partsOf(components).flatMap((part) => part.variables))];
}

/**
 * The `components` of a send call (Meta, "Template messages",
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages).
 * @param variables a value for each of `templateVariables`; one that is missing is sent empty, and refused upstream.
 */
export function templateParameters(
  components: readonly unknown[],
  variables: Readonly<Record<string, string>>,
): unknown[] {
  const valueOf = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? "";
  return partsOf(components).flatMap((part) => part.fill?.(valueOf) ?? []);
}

/** The template's text with its placeholders; null where the upstream tells none. */
export function templateBody(components: readonly unknown[]): string | null {
  return parsed(components).find((component) => component.type === "BODY")?.text ?? null;
}

/** Whether the variable is the address of a file, which the rules for `media.url` hold for. */
export function isMediaVariable(variable: string): boolean {
  return /^(card\.\d+\.)?header\.url$/.test(variable);
}

/** Whether the placeholders have names instead of numbers, which the upstream wants to be told of a new template. */
export function hasNamedParameters(components: readonly unknown[]): boolean {
  const texts = parsed(components).map((component) => component.text ?? "");
  return texts.flatMap(placeholdersOf).some((name) => !isNumber(name));
}

const upperCase = z.string().transform((text) => text.toUpperCase());

const componentSchema = z.object({
  type: upperCase,
  format: upperCase.optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  add_security_recommendation: z.unknown().optional(),
  buttons: z.array(z.unknown()).catch([]),
  cards: z.array(z.object({ components: z.array(z.unknown()) }).catch({ components: [] })).catch([]),
  limited_time_offer: z.object({ has_expiration: z.boolean() }).optional().catch(undefined),
});

export type Component = z.output<typeof componentSchema>;

export const buttonSchema = z.object({
  type: upperCase,
  url: z.string().catch(""),
  text: z.string().catch(""),
});

/** The components that can be read, of the upstream's own description. */
export function parsed(components: readonly unknown[]): Component[] {
  return components.flatMap((component) => componentSchema.safeParse(component).data ?? []);
}

function partsOf(components: readonly unknown[], prefix = ""): Part[] {
  return parsed(components).flatMap((component) => PARTS[component.type]?.(component, prefix) ?? []);
}

/** By the component's type. The footer and what comes later than this table need nothing that we know of. */
const PARTS: Readonly<Record<string, (component: Component, prefix: string) => readonly Part[]>> = {
  HEADER: ({ format = "TEXT", text }, prefix) =>
    format === "TEXT" ? texts("header", text, `${prefix}header.`) : [headerPart(format, `${prefix}header.`)],
  BODY: ({ text, add_security_recommendation: isAuthentication }, prefix) =>
    texts("body", text ?? (isAuthentication === undefined ? "" : AUTHENTICATION_TEXT), prefix),
  BUTTONS: ({ buttons }, prefix) =>
    buttons.flatMap((button, index) => {
      const known = buttonSchema.safeParse(button).data;
      return known ? buttonParts(known, index, `${prefix}button.${index}.`) : [];
    }),
  CAROUSEL: ({ cards }, prefix) => carouselParts(cards, prefix),
  LIMITED_TIME_OFFER: ({ limited_time_offer: offer }, prefix) =>
    offer?.has_expiration === true ? [offerPart(prefix)] : [],
};

/** Meta writes the text of authentication templates itself; as long as it isn't told, this stands for it. */
export const AUTHENTICATION_TEXT = "{{1}}";

/** Global: for `matchAll` and `split`. */
export const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Numbered placeholders by number, named ones as they come; each once. */
function placeholdersOf(text: string): string[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].flatMap((match) => match[1] ?? []))];
  return names.every(isNumber) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

const isNumber = (name: string) => /^\d+$/.test(name);

function texts(type: "header" | "body", text: string | undefined, prefix: string): Part[] {
  const names = placeholdersOf(text ?? "");
  if (names.length === 0) return [];
  const fill: Part["fill"] = (valueOf) => ({
    type,
    parameters: names.map((name) => ({
      type: "text",
      ...(isNumber(name) ? {} : { parameter_name: name }),
      text: valueOf(prefix + name),
    })),
  });
  return [{ variables: names.map((name) => prefix + name), fill }];
}

/** Our variables of a header that isn't text, with the field of the call that each is. */
const HEADER_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IMAGE: { url: "link" },
  VIDEO: { url: "link" },
  DOCUMENT: { url: "link" },
  LOCATION: { latitude: "latitude", longitude: "longitude", name: "name", address: "address" },
  PRODUCT: { product_retailer_id: "product_retailer_id", catalog_id: "catalog_id" },
};

function headerPart(format: string, prefix: string): Part {
  const type = format.toLowerCase();
  const fields = HEADER_FIELDS[format];
  if (!fields) return { variables: [prefix + type], fill: null };
  return {
    variables: Object.keys(fields).map((variable) => prefix + variable),
    fill: (valueOf) => {
      const filled = Object.entries(fields).map(([variable, field]) => [field, valueOf(prefix + variable)]);
      return { type: "header", parameters: [{ type, [type]: Object.fromEntries(filled) }] };
    },
  };
}

/** Buttons that need what no text can say. */
const UNFILLABLE_BUTTONS: Readonly<Record<string, string>> = {
  MPM: "sections",
  ORDER_DETAILS: "order_details",
};

function buttonParts({ type, url }: z.output<typeof buttonSchema>, index: number, prefix: string): Part[] {
  const button = (subType: string, parameters: readonly unknown[]) => ({
    type: "button",
    sub_type: subType,
    index: String(index),
    parameters,
  });
  const text = (value: string) => ({ type: "text", text: value });
  const code = `${prefix}code`;
  switch (type) {
    case "URL": {
      const variables = placeholdersOf(url).map((name) => prefix + name);
      if (variables.length === 0) return [];
      return [{ variables, fill: (valueOf) => button("url", variables.map(valueOf).map(text)) }];
    }
    case "COPY_CODE": {
      const coupon = (value: string) => ({ type: "coupon_code", coupon_code: value });
      return [{ variables: [code], fill: (valueOf) => button("copy_code", [coupon(valueOf(code))]) }];
    }
    // Calls say the code of an authentication template as if its button were an address.
    case "OTP":
      return [{ variables: [code], fill: (valueOf) => button("url", [text(valueOf(code))]) }];
    // Its token has a default, but the component must be there.
    case "FLOW":
      return [{ variables: [], fill: () => button("flow", [{ type: "action", action: {} }]) }];
    default: {
      const needed = UNFILLABLE_BUTTONS[type];
      return needed === undefined ? [] : [{ variables: [prefix + needed], fill: null }];
    }
  }
}

function carouselParts(cards: readonly { components: readonly unknown[] }[], prefix: string): Part[] {
  const parts = cards.map(({ components }, index) => partsOf(components, `${prefix}card.${index}.`));
  const fill: Part["fill"] = (valueOf) => ({
    type: "carousel",
    cards: parts.map((ofCard, index) => ({
      card_index: index,
      components: ofCard.flatMap((part) => part.fill?.(valueOf) ?? []),
    })),
  });
  return [{ variables: parts.flat().flatMap((part) => part.variables), fill }];
}

function offerPart(prefix: string): Part {
  const variable = `${prefix}limited_time_offer.expiration_time_ms`;
  const type = "limited_time_offer";
  return {
    variables: [variable],
    fill: (valueOf) => {
      const value = valueOf(variable);
      const time = isNumber(value) ? Number(value) : value;
      return { type, parameters: [{ type, limited_time_offer: { expiration_time_ms: time } }] };
    },
  };
}
