import {
  AUTHENTICATION_TEXT,
  buttonSchema,
  type Component,
  parsed,
  PLACEHOLDER,
} from "./template-components";

/** A piece of a template's text: plain text, or a placeholder as it is written. */
export interface TextPiece {
  readonly text: string;
  /** The name of the value for a placeholder, as in `templateVariables`; null for plain text. */
  readonly variable: string | null;
}

/** Role of a part in the message that the customer reads. */
export type PartKind = "header" | "body" | "footer" | "button";

interface Part<Text> {
  /** Such as `Header` or `Card 1, button 2`. */
  readonly label: string;
  readonly kind: PartKind;
  /** Of a carousel, from 0. Null outside of one. */
  readonly card: number | null;
  /** Such as `image`, for a header that isn't text. Else null. */
  readonly media: string | null;
  /** The URL that a button opens, or from which a header's file comes; null if there is none. */
  readonly url: Text | null;
}

/** A part of a template as a customer sees it. */
export interface TemplatePart extends Part<readonly TextPiece[]> {
  readonly pieces: readonly TextPiece[];
}

/** A part of a template as one customer saw it. */
export interface FilledPart extends Part<string> {
  readonly text: string;
}

/** JSON path of all texts of a template, for searching. */
export const TEMPLATE_TEXTS_PATH = "lax $.**.text";

/**
 * Splits a text at its placeholders. The joined pieces equal the text.
 * @param prefix beginning of the names of the text's values.
 */
export function textPieces(text: string, prefix = ""): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), variable: null });
    pieces.push({ text: match[0], variable: prefix + (match[1] ?? "") });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), variable: null });
  return pieces;
}

/**
 * Returns the parts of a template in the order in which a customer sees them. Never throws, whatever the components
 * are.
 */
export function templateParts(components: readonly unknown[]): TemplatePart[] {
  return partsIn(components, null);
}

/**
 * Fills the parts with a message’s values, by the names of `templateVariables`. A placeholder without a value stays as
 * it is written. Never throws, whatever the components are.
 */
export function filledParts(
  components: readonly unknown[],
  values: Readonly<Record<string, unknown>>,
): FilledPart[] {
  const fill = (pieces: readonly TextPiece[]) =>
    pieces
      .map(({ text, variable }) => {
        const value = variable !== null && Object.hasOwn(values, variable) ? values[variable] : undefined;
        return typeof value === "string" ? value : text;
      })
      .join("");
  const isKnown = ({ variable }: TextPiece) => variable === null || Object.hasOwn(values, variable);
  return templateParts(components).map(({ pieces, url, ...part }) => ({
    ...part,
    text: fill(pieces),
    // A header's file without its value comes from nowhere.
    url: url === null || (part.media !== null && !url.every(isKnown)) ? null : fill(url),
  }));
}

function partsIn(components: readonly unknown[], card: number | null): TemplatePart[] {
  return parsed(components).flatMap((component) => PARTS[component.type]?.(component, card) ?? []);
}

/** By the component's type. */
const PARTS: Readonly<Record<string, (component: Component, card: number | null) => TemplatePart[]>> = {
  HEADER: ({ format = "TEXT", text = "" }, card) => {
    const prefix = `${prefixOf(card)}header.`;
    if (format === "TEXT") return [part(card, "header", textPieces(text, prefix))];
    const media = format.toLowerCase();
    const url = FILE_FORMATS.has(format) ? [{ text: "{{url}}", variable: `${prefix}url` }] : null;
    return [part(card, "header", textPieces(`(${media})`), { media, url })];
  },
  BODY: (component, card) => [part(card, "body", textPieces(bodyOf(component), prefixOf(card)))],
  FOOTER: ({ text = "" }, card) => (text === "" ? [] : [part(card, "footer", textPieces(text))]),
  BUTTONS: ({ buttons }, card) =>
    buttons.flatMap((button, index) => {
      const { data } = buttonSchema.safeParse(button);
      if (data === undefined) return [];
      const words = data.text === "" ? data.type.toLowerCase().replaceAll("_", " ") : data.text;
      const url = data.url === "" ? null : textPieces(data.url, `${prefixOf(card)}button.${index}.`);
      return [part(card, "button", [{ text: words, variable: null }], { url, name: `button ${index + 1}` })];
    }),
  CAROUSEL: ({ cards }, card) =>
    card === null ? cards.flatMap(({ components }, index) => partsIn(components, index)) : [],
};

const FILE_FORMATS: ReadonlySet<string> = new Set(["IMAGE", "VIDEO", "DOCUMENT"]);

const prefixOf = (card: number | null) => (card === null ? "" : `card.${card}.`);

function bodyOf({ text, add_security_recommendation: isAuthentication }: Component): string {
  return text ?? (isAuthentication === undefined ? "" : AUTHENTICATION_TEXT);
}

function part(
  card: number | null,
  kind: PartKind,
  pieces: readonly TextPiece[],
  {
    name = kind,
    media = null,
    url = null,
  }: Partial<Pick<TemplatePart, "media" | "url">> & { name?: string } = {},
): TemplatePart {
  const label = card === null ? name : `card ${card + 1}, ${name}`;
  return { label: label.slice(0, 1).toUpperCase() + label.slice(1), kind, card, media, pieces, url };
}
