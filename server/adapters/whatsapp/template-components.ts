import { z } from "zod";

/**
 * Format of WhatsApp's codes for a template's language: `en`, `fil`, `en_US`, `zh_Hant`
 * (https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/supported-languages).
 */
export const TEMPLATE_LANGUAGE = /^[a-z]{2,3}(_([A-Z]{2}|[A-Z][a-z]{3}))?$/;

/** The values that a message must provide for one part of a template, and the form of that part in a call. */
interface Part {
  /** Names of the values, in order. */
  readonly variables: readonly string[];
  /** Builds the component of a call. Null for a part that text can't fill; the call omits it. */
  readonly fill: ((valueOf: (variable: string) => string) => unknown) | null;
}

/**
 * Returns the names of the values that a message with the template must provide, in order (Meta, "Message template
 * components", https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/components):
 * - `1`, or the name if parameters are named: a placeholder of the text;
 * - `header.1`: a placeholder of the header; `header.url`: the https URL of its image, video or document;
 *   `header.latitude` and so on: of its location or product;
 * - `button.0.1`: the placeholder of the first button's URL; `button.0.code`: the code that it copies;
 * - `card.0.1`, `card.0.header.url`, `card.0.button.0.1`: the same in the first card of a carousel;
 * - `limited_time_offer.expiration_time_ms`: when the offer ends, in Unix milliseconds.
 *
 * A part that text can't fill is named too, such as `button.0.sections` of a list of products. The upstream refuses a
 * message with such a template. Never throws, whatever the components are.
 */
export function templateVariables(components: readonly unknown[]): string[] {
  return [...new Set(partsOf(components).flatMap((part) => part.variables))];
}

/**
 * Builds the `components` of a send call (Meta, "Template messages",
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages).
 * @param variables a value for each of `templateVariables`. A missing one is sent empty, and the upstream refuses it.
 */
export function templateParameters(
  components: readonly unknown[],
  variables: Readonly<Record<string, string>>,
): unknown[] {
  const valueOf = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? "";
  return partsOf(components).flatMap((part) => part.fill?.(valueOf) ?? []);
}

/** Returns the template's text with its placeholders. Null if the upstream provides none. */
export function templateBody(components: readonly unknown[]): string | null {
  return parsed(components).find((component) => component.type === "BODY")?.text ?? null;
}

/** Returns true if the variable is the URL of a file. The rules for `media.url` apply to it. */
export function isMediaVariable(variable: string): boolean {
  return /^(card\.\d+\.)?header\.url$/.test(variable);
}

/**
 * Returns true if the placeholders have names instead of numbers. The upstream requires this information for a new
 * template.
 */
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
  example: z.unknown().optional(),
});

export type Component = z.output<typeof componentSchema>;

export const buttonSchema = z.object({
  type: upperCase,
  url: z.string().catch(""),
  text: z.string().catch(""),
  example: z.unknown().optional(),
});

/** Parses the readable components of the upstream's description. */
export function parsed(components: readonly unknown[]): Component[] {
  return components.flatMap((component) => componentSchema.safeParse(component).data ?? []);
}

function partsOf(components: readonly unknown[], prefix = ""): Part[] {
  return parsed(components).flatMap((component) => PARTS[component.type]?.(component, prefix) ?? []);
}

/** By the component's type. The footer and unknown later types need no values. */
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

/** Meta writes the text of authentication templates itself. If Meta doesn't provide it, this text replaces it. */
export const AUTHENTICATION_TEXT = "{{1}}";

/** Global, for `matchAll` and `split`. */
export const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Returns each placeholder once: numbered ones by number, named ones in order of appearance. */
export function placeholdersOf(text: string): string[] {
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

/** Our variables of a header that isn't text, with the call's field for each. */
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

/** Buttons that text can't fill. */
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
    // Calls pass the code of an authentication template as if its button had a URL.
    case "OTP":
      return [{ variables: [code], fill: (valueOf) => button("url", [text(valueOf(code))]) }];
    // Its token has a default, but the component is required.
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
