import { COMMON_PASSWORDS, COMMON_WORDS } from "./common-passwords";

/** What somebody tries first here. */
const PRODUCT = "waypost";
/** A shorter name of an address is part of too many words. */
const NAME_LENGTH_MIN = 4;
/** A piece as short as this adds nothing by being repeated. */
const PIECE_LENGTH_MAX = 4;
/** Along which fingers go: the alphabet, the digits, and the rows and columns of a keyboard. */
const PATHS = [
  "abcdefghijklmnopqrstuvwxyz",
  "1234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
].map((path) => path + path);
const PATH_LENGTH_MIN = 3;

/**
 * Whether a password is among the first that anybody tries: a common one, a common word with digits or signs before or behind
 * it, a short piece again and again, or keys in their order.
 */
export function isCommon(password: string): boolean {
  const typed = password.normalize("NFKC").toLowerCase();
  const piece = repeatedPiece(typed);
  const word = wordOf(piece);
  return (
    piece.length <= PIECE_LENGTH_MAX ||
    COMMON_PASSWORDS.has(typed) ||
    COMMON_WORDS.has(word) ||
    [typed, piece, word].some(isAlongKeys)
  );
}

/** What of the password stands in the address or is the product's name; null for nothing. */
export function nameWithin(password: string, email: string): string | null {
  const typed = password.normalize("NFKC").toLowerCase();
  const name = email.toLowerCase().split(/[@+]/, 1)[0] ?? "";
  if (name.length >= NAME_LENGTH_MIN && typed.includes(name)) return name;
  return typed.includes(PRODUCT) ? PRODUCT : null;
}

/** What the text repeats, the last time perhaps in part; all of it where it repeats nothing. */
function repeatedPiece(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) return text.slice(0, length);
  }
  return text;
}

/** Without digits and signs around it, and those within as the letters that they stand for. */
function wordOf(text: string): string {
  const within = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return within.replaceAll(/[@$01345]/g, (sign) => LETTERS[sign] ?? sign);
}

const LETTERS: Readonly<Record<string, string>> = {
  "@": "a",
  $: "s",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
};

function isAlongKeys(text: string): boolean {
  if (text.length < PATH_LENGTH_MIN) return false;
  const back = [...text].toReversed().join("");
  return PATHS.some((path) => path.includes(text) || path.includes(back));
}
