import { COMMON_PASSWORDS, COMMON_WORDS } from "./common-passwords";

/** A word that attackers try first here. */
const PRODUCT = "waypost";
/** Shorter names in an address are part of too many words. */
const NAME_LENGTH_MIN = 4;
/** Repeating a piece this short adds no strength. */
const PIECE_LENGTH_MAX = 4;
/** Sequences that fingers follow: the alphabet, the digits, and the rows and columns of a keyboard. */
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
 * Returns whether a password is among the first guesses: a common one, a common word with digits or signs before or
 * after it, a short repeated piece, or keys in sequence.
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

/** Returns the part of the password that is in the email address or is the product's name; null if there is none. */
export function nameWithin(password: string, email: string): string | null {
  const typed = password.normalize("NFKC").toLowerCase();
  const name = email.toLowerCase().split(/[@+]/, 1)[0] ?? "";
  if (name.length >= NAME_LENGTH_MIN && typed.includes(name)) return name;
  return typed.includes(PRODUCT) ? PRODUCT : null;
}

/** Returns the piece that the text repeats, the last time possibly in part; the whole text if nothing repeats. */
function repeatedPiece(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) return text.slice(0, length);
  }
  return text;
}

/** Strips digits and signs from both ends, and replaces those inside with the letters that they stand for. */
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
