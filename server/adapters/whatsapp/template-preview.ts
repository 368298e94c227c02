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
  readonly isVariable: boolean;
}

/** A part of a template as a customer sees it. */
export interface TemplatePart {
  /** Such as `Header` or `Card 1, button 2`. */
  readonly label: string;
  readonly pieces: readonly TextPiece[];
}

/** JSON path of all texts of a template, for searching. */
export const TEMPLATE_TEXTS_PATH = "lax $.**.text";

/** Splits a text at its placeholders. The joined pieces equal the text. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isVariable: false });
    pieces.push({ text: match[0], isVariable: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isVariable: false });
  return pieces;
}

/**
 * Returns the parts of a template in the order in which a customer sees them. Never throws, whatever the components
 * are.
 */
export function templateParts(components: readonly unknown[], prefix = ""): TemplatePart[] {
  return parsed(components).flatMap((component) => PARTS[component.type]?.(component, prefix) ?? []);
}

/** A part of a template as one customer saw it. */
export interface FilledPart {
  readonly label: string;
  readonly text: string;
}

/**
 * Fills the parts with a message’s values, by the names of `templateVariables`. A placeholder without a value stays as
 * it is written. Never throws, whatever the components are.
 */
export function filledParts(
  components: readonly unknown[],
  values: Readonly<Record<string, unknown>>,
): FilledPart[] {
  const fill: Fill = (text, prefix) =>
    text.replace(PLACEHOLDER, (whole, name) => {
      const value = Object.hasOwn(values, prefix + name) ? values[prefix + name] : undefined;
      return typeof value === "string" ? value : whole;
    });
  return templateParts(filled(components, "", fill)).map(({ label, pieces }) => ({
    label,
    text: pieces.map(({ text }) => text).join(""),
  }));
}

/** @param prefix beginning of the names of the text’s values. */
type Fill = (text: string, prefix: string) => string;

function filled(components: readonly unknown[], prefix: string, fill: Fill): Component[] {
  return parsed(components).map((component) => {
    const text = component.type === "BODY" ? bodyOf(component) : component.text;
    const of = component.type === "HEADER" ? `${prefix}header.` : prefix;
    return {
      ...component,
      ...(text === undefined ? {} : { text: fill(text, of) }),
      buttons: component.buttons.map((button, index) => {
        const { data } = buttonSchema.safeParse(button);
        return data && { ...data, url: fill(data.url, `${prefix}button.${index}.`) };
      }),
      cards: component.cards.map((card, index) => ({
        components: filled(card.components, `${prefix}card.${index}.`, fill),
      })),
    };
  });
}

function bodyOf({ text, add_security_recommendation: isAuthentication }: Component): string {
  return text ?? (isAuthentication === undefined ? "" : AUTHENTICATION_TEXT);
}

const PARTS: Readonly<Record<string, (component: Component, prefix: string) => readonly TemplatePart[]>> = {
  HEADER: ({ format = "TEXT", text = "" }, prefix) => [
    part(prefix, "header", format === "TEXT" ? text : `(${format.toLowerCase()})`),
  ],
  BODY: (component, prefix) => [part(prefix, "body", bodyOf(component))],
  FOOTER: ({ text = "" }, prefix) => (text === "" ? [] : [part(prefix, "footer", text)]),
  BUTTONS: ({ buttons }, prefix) =>
    buttons.flatMap((button, index) => {
      const { data } = buttonSchema.safeParse(button);
      if (data === undefined) return [];
      const words = data.text === "" ? data.type.toLowerCase().replaceAll("_", " ") : data.text;
      return [part(prefix, `button ${index + 1}`, data.url === "" ? words : `${words} → ${data.url}`)];
    }),
  CAROUSEL: ({ cards }, prefix) =>
    cards.flatMap((card, index) => templateParts(card.components, `${prefix}card ${index + 1}, `)),
};

function part(prefix: string, name: string, text: string): TemplatePart {
  const label = prefix + name;
  return { label: label.slice(0, 1).toUpperCase() + label.slice(1), pieces: textPieces(text) };
}
