import { upperFirst } from "@/app/ui/format";
import type { TemplatePart, TextPiece } from "@/server/adapters/whatsapp/template-preview";

type Parts = readonly TemplatePart[];
type Values = Readonly<Record<string, string>>;

/** A value that a template needs, for a form. */
export interface TemplateField {
  /** The name of the value in a message. */
  readonly name: string;
  /** Where the value is, with the words around it. */
  readonly label: string;
  /** Null if WhatsApp gives none. */
  readonly example: string | null;
  readonly isUrl: boolean;
}

/** Returns the values that a template needs, in order. */
export function fieldsOf({
  variables,
  parts,
  examples,
}: {
  readonly variables: readonly string[];
  readonly parts: Parts;
  readonly examples: Values;
}): TemplateField[] {
  return variables.map((name) => ({
    name,
    label: labelOf(name, parts),
    example: valueIn(examples, name),
    isUrl: /(^|\.)header\.url$/.test(name),
  }));
}

/** Returns a value by its name, which can be any word; null if there is none. */
export const valueIn = (values: Values, name: string): string | null =>
  (Object.hasOwn(values, name) ? values[name] : null) ?? null;

/** Fills pieces with values. A placeholder without a value stays one. */
export const filledPieces = (pieces: readonly TextPiece[], values: Values): readonly TextPiece[] =>
  pieces.map((piece) => {
    const value = piece.variable === null ? "" : (valueIn(values, piece.variable) ?? "");
    return value.trim() === "" ? piece : { text: value, variable: null };
  });

const NAME = /^(?:card\.(?<card>\d+)\.)?(?:(?<header>header)\.|button\.(?<button>\d+)\.)?(?<value>.+)$/;

function labelOf(name: string, parts: Parts): string {
  const { card, header, button, value = name } = NAME.exec(name)?.groups ?? {};
  const found = placeOf(name, parts);
  const where = [
    card === undefined ? null : `card ${Number(card) + 1}`,
    header ?? null,
    button === undefined ? null : buttonWords(Number(button), card, parts),
    header !== undefined && value === "url"
      ? `URL of the ${found?.part.media ?? "file"}`
      : (valueIn(VALUES, value) ?? (/^\d+$/.test(value) ? `value ${value}` : value.replaceAll("_", " "))),
  ].filter((one) => one !== null);
  const around = found === null ? null : wordsAround(found);
  return upperFirst(where.join(", ")) + (around === null ? "" : `: “${around}”`);
}

const VALUES: Values = {
  "limited_time_offer.expiration_time_ms": "end of the offer, in Unix milliseconds",
};

function buttonWords(index: number, card: string | undefined, parts: Parts): string {
  const inCard = card === undefined ? null : Number(card);
  const part = parts.filter((one) => one.kind === "button" && one.card === inCard)[index];
  return part === undefined ? `button ${index + 1}` : `button “${textOf(part.pieces)}”`;
}

const textOf = (pieces: readonly TextPiece[]) => pieces.map(({ text }) => text).join("");

interface Place {
  readonly part: Parts[number];
  readonly pieces: readonly TextPiece[];
  readonly index: number;
}

/** Returns the first place of a value in the text; null if the text doesn't contain it. */
function placeOf(name: string, parts: Parts): Place | null {
  const places = parts.flatMap((part) =>
    [part.pieces, part.url ?? []].map((pieces) => {
      const index = pieces.findIndex(({ variable }) => variable === name);
      return { part, pieces, index };
    }),
  );
  return places.find(({ index }) => index !== -1) ?? null;
}

/** Characters on each side of a value. */
const AROUND_MAX = 32;
const BLANK = "____";

/** Returns the words around a value, up to the next one; null if there are none. */
function wordsAround({ pieces, index }: Place): string | null {
  const plain = (piece: TextPiece | undefined) =>
    piece === undefined || piece.variable !== null ? [] : [...piece.text.replace(/\s+/g, " ")];
  const before = plain(pieces[index - 1]);
  const after = plain(pieces[index + 1]);
  if (before.length === 0 && after.length === 0) return null;
  const start =
    before.length > AROUND_MAX
      ? `…${before.slice(-AROUND_MAX).join("").replace(/^\S* /, "")}`
      : before.join("");
  const end =
    after.length > AROUND_MAX
      ? `${after.slice(0, AROUND_MAX).join("").replace(/ \S*$/, "")}…`
      : after.join("");
  return (start + BLANK + end).trim();
}
