/** The content of a message, for its bubble. */
export type MessageContent =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "file";
      readonly type: string;
      readonly caption: string | null;
      readonly isVoice: boolean;
    }
  | {
      readonly kind: "choice";
      readonly header: string | null;
      readonly body: string;
      readonly footer: string | null;
      readonly choices: readonly Choice[];
    }
  | {
      readonly kind: "location";
      readonly latitude: number;
      readonly longitude: number;
      readonly name: string | null;
      readonly address: string | null;
    }
  | { readonly kind: "cards"; readonly cards: readonly Card[] }
  | { readonly kind: "order"; readonly text: string | null; readonly items: readonly string[] }
  | { readonly kind: "form"; readonly name: string | null; readonly response: string }
  /** Words of Waypost in place of content that can't be shown. */
  | { readonly kind: "remark"; readonly text: string };

export interface Choice {
  readonly title: string;
  readonly description: string | null;
}

interface Card {
  readonly name: string;
  readonly lines: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

const FILES = new Set(["image", "audio", "video", "document", "sticker"]);

/**
 * Reads a message's content, in the public API's form. Never throws, whatever the content is: it may come from WhatsApp,
 * or from another version of Waypost.
 * @param type the message's type, for content that doesn't name its own.
 */
export function readContent(type: string, content: Values): MessageContent {
  const kind = textAt(content, "type") ?? type;
  if (FILES.has(kind)) return fileIn(kind, content);
  return (READERS[kind]?.(content) ?? textIn(content)) || remark(REMARKS[kind] ?? UNKNOWN);
}

const UNKNOWN = "A message of a type that can’t be shown here";

const REMARKS: Readonly<Record<string, string>> = {
  call: "The customer called",
  unsupported: "A message that WhatsApp can’t pass on",
  revoke: "The customer deleted a message that isn’t here",
  edit: "The customer changed a message that isn’t here",
};

const READERS: Readonly<Record<string, (content: Values) => MessageContent | null>> = {
  interactive: choiceIn,
  location: locationIn,
  contacts: cardsIn,
  order: orderIn,
  form: formIn,
  reply: (content) => {
    const title = textAt(content, "reply", "title");
    return title === null ? null : { kind: "text", text: title };
  },
  reaction: (content) => {
    const emoji = textAt(content, "reaction", "emoji");
    return remark(emoji === null ? "Reaction taken back" : `Reaction ${emoji} to a message`);
  },
  event: (content) => {
    const text = textAt(content, "event", "text") ?? textAt(content, "event", "kind");
    return text === null ? null : remark(text);
  },
};

const remark = (text: string): MessageContent => ({ kind: "remark", text });

function textIn(content: Values): MessageContent | null {
  const text = textAt(content, "text", "body");
  return text === null ? null : { kind: "text", text };
}

function fileIn(type: string, content: Values): MessageContent {
  const caption = textAt(content, "text", "body") ?? textAt(content, "media", "caption");
  return { kind: "file", type, caption, isVoice: valueAt(content, "media", "voice") === true };
}

function choiceIn(content: Values): MessageContent {
  const of = recordIn(content.interactive);
  const sections = listIn(of.sections).flatMap((section) => listIn(recordIn(section).rows));
  const link = textAt(of, "text");
  const choices = [
    ...listIn(of.buttons),
    ...sections,
    ...(link === null ? [] : [{ title: link, description: of.url }]),
  ];
  return {
    kind: "choice",
    header: textAt(of, "header"),
    body: textAt(of, "body") ?? "",
    footer: textAt(of, "footer"),
    choices: choices.map((choice) => ({
      title: textAt(recordIn(choice), "title") ?? "",
      description: textAt(recordIn(choice), "description"),
    })),
  };
}

function locationIn(content: Values): MessageContent | null {
  const { latitude, longitude, ...rest } = recordIn(content.location);
  if (typeof latitude !== "number" || typeof longitude !== "number") return null;
  return {
    kind: "location",
    latitude,
    longitude,
    name: textAt(rest, "name"),
    address: textAt(rest, "address"),
  };
}

function cardsIn(content: Values): MessageContent {
  const cards = listIn(content.contacts).map((one) => {
    const card = recordIn(one);
    const lines = [card.company, ...listIn(card.phones), ...listIn(card.emails)];
    return {
      name: textAt(card, "name") ?? "No name",
      lines: lines.filter((line) => typeof line === "string"),
    };
  });
  return { kind: "cards", cards };
}

function orderIn(content: Values): MessageContent {
  const items = listIn(valueAt(content, "order", "items")).map((one) => {
    const { quantity, product_id: product, price, currency } = recordIn(one);
    const cost =
      typeof price === "number" ? `, ${price} ${typeof currency === "string" ? currency : ""}` : "";
    return `${typeof quantity === "number" ? quantity : 1} × ${typeof product === "string" ? product : "product"}${cost}`.trim();
  });
  return { kind: "order", text: textAt(content, "order", "text"), items };
}

function formIn(content: Values): MessageContent {
  return {
    kind: "form",
    name: textAt(content, "form", "name"),
    response: textAt(content, "form", "response") ?? "",
  };
}

function recordIn(value: unknown): Values {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function valueAt(values: Values, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => recordIn(value)[name], values);
}

/** Null for a text without characters, too. */
function textAt(values: Values, ...path: readonly string[]): string | null {
  const value = valueAt(values, ...path);
  return typeof value === "string" && value !== "" ? value : null;
}
