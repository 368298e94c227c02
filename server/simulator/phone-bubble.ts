import { asFields, listOfFields, type Fields } from "./fields";
import { isMediaKind } from "./media";

/** The parts of a message as its reader sees them. A part that the message doesn't have is absent. */
export interface Bubble {
  readonly header?: string;
  readonly media?: ShownMedia;
  readonly text?: string;
  readonly footer?: string;
  readonly buttons?: readonly ShownButton[];
  readonly list?: ShownList;
  readonly location?: ShownLocation;
  readonly contacts?: readonly ShownContact[];
  readonly cards?: readonly Bubble[];
}

export interface ShownMedia {
  readonly kind: string;
  /** The bytes are at `/simulator/media/{id}`. */
  readonly id?: string;
  /** Set instead of the id if the message named the file by its URL. */
  readonly link?: string;
  readonly mime_type?: string;
  readonly filename?: string;
  readonly is_voice?: true;
}

export interface ShownButton {
  /** `reply` is answered by a message. `location` is answered by a location. The others open something. */
  readonly kind: "reply" | "location" | "url" | "call" | "copy" | "other";
  readonly title: string;
  /** Of a reply: the type of message that answers it, and the id or payload that the answer contains. */
  readonly answer?: "button" | "button_reply";
  readonly id?: string;
  /** The address, number or code of another button. */
  readonly value?: string;
}

interface ShownList {
  readonly button: string;
  readonly sections: readonly { readonly title?: string; readonly rows: readonly ShownRow[] }[];
}

interface ShownRow {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

interface ShownLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

interface ShownContact {
  readonly name: string;
  readonly phones: readonly string[];
}

/**
 * Renders the content of a message that isn't a template, whichever side sent it: the object in the field with the
 * type's name, or the text of a text message. Never throws, and leaves out parts that aren't as Meta describes them.
 */
export function bubbleOf(type: string, body: unknown): Bubble {
  if (typeof body === "string") return { text: body };
  if (type === "contacts") return { contacts: listOfFields(body).map(contactOf) };
  const content = asFields(body) ?? {};
  if (isMediaKind(type)) return { media: mediaOf(type, content), ...part("text", content.caption) };
  const render = Object.hasOwn(byType, type) ? byType[type] : undefined;
  return render?.(content) ?? {};
}

const byType: Readonly<Record<string, (content: Fields) => Bubble>> = {
  text: ({ body }) => part("text", body),
  button: ({ text }) => part("text", text),
  location: (content) => ({ location: locationOf(content) }),
  interactive: interactiveBubble,
  order: ({ product_items }) => ({ text: `Order of ${listOfFields(product_items).length} products` }),
};

/** What a customer or a business may have sent, by `interactive.type`. */
function interactiveBubble(content: Fields): Bubble {
  const answer = asFields(content.button_reply) ?? asFields(content.list_reply);
  if (answer !== null) return { ...part("text", answer.title), ...part("footer", answer.description) };
  const form = asFields(content.nfm_reply);
  if (form !== null) return part("text", form.body);
  return {
    ...headerOf(asFields(content.header)),
    ...part("text", asFields(content.body)?.text),
    ...part("footer", asFields(content.footer)?.text),
    ...actionOf(String(content.type), asFields(content.action) ?? {}),
  };
}

function headerOf(header: Fields | null): Bubble {
  if (header === null) return {};
  const type = String(header.type);
  if (isMediaKind(type)) return { media: mediaOf(type, asFields(header[type]) ?? {}) };
  return part("header", header.text);
}

function actionOf(type: string, action: Fields): Bubble {
  const { parameters } = action;
  switch (type) {
    case "button":
      return { buttons: listOfFields(action.buttons).map(replyOf) };
    case "list":
      return {
        list: { button: textOf(action.button) ?? "", sections: listOfFields(action.sections).map(sectionOf) },
      };
    case "cta_url": {
      const { display_text, url } = asFields(parameters) ?? {};
      return { buttons: [{ kind: "url", title: textOf(display_text) ?? "", ...named("value", url) }] };
    }
    case "location_request_message":
      return { buttons: [{ kind: "location", title: "Send location" }] };
    default:
      return {};
  }
}

function replyOf(button: Fields): ShownButton {
  const { id, title } = asFields(button.reply) ?? {};
  return { kind: "reply", answer: "button_reply", title: textOf(title) ?? "", ...named("id", id) };
}

function sectionOf({ title, rows }: Fields): ShownList["sections"][number] {
  return {
    ...named("title", title),
    rows: listOfFields(rows).map((row) => ({
      id: textOf(row.id) ?? "",
      title: textOf(row.title) ?? "",
      ...named("description", row.description),
    })),
  };
}

/** Renders a media object of Meta's API. */
export function mediaOf(kind: string, { id, link, mime_type, filename, voice }: Fields): ShownMedia {
  return {
    kind,
    ...named("id", id),
    ...named("link", link),
    ...named("mime_type", mime_type),
    ...named("filename", filename),
    ...(voice === true ? { is_voice: true } : {}),
  };
}

/** Renders a location of Meta's API. Coordinates may be texts. */
export function locationOf({ latitude, longitude, name, address }: Fields): ShownLocation {
  return {
    latitude: Number(latitude),
    longitude: Number(longitude),
    ...named("name", name),
    ...named("address", address),
  };
}

function contactOf({ name, phones }: Fields): ShownContact {
  const { formatted_name, first_name } = asFields(name) ?? {};
  const numbers = listOfFields(phones).map(({ phone, wa_id }) => textOf(phone) ?? textOf(wa_id));
  return {
    name: textOf(formatted_name) ?? textOf(first_name) ?? "",
    phones: numbers.filter((number) => number !== null),
  };
}

function part(name: "header" | "text" | "footer", value: unknown): Bubble {
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
}

/** Returns the value under its name if it is a text that isn't empty. */
function named<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  const text = textOf(value);
  // The computed key has the type string, hence the cast.
  return text === null ? {} : ({ [name]: text } as Partial<Record<Name, string>>);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
