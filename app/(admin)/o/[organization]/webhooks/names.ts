import { visibleText } from "@/app/ui/visible-text";
import type { Endpoint } from "./types";

const NAME_LENGTH_MAX = 80;
/** Longer names are too much to type. */
const TYPED_LENGTH_MAX = 40;
const URL_LENGTH_MAX = 64;
/** Characters of a longer URL that are kept before and after the gap. */
const BEGINNING = 40;
const END = 20;

type Named = Pick<Endpoint, "url" | "description">;

/** Returns an endpoint's name: its description, else its URL. */
export function nameOf({ url, description }: Named): string {
  const seen = visibleText(description);
  if (seen !== "") return seen.length <= NAME_LENGTH_MAX ? seen : `${seen.slice(0, NAME_LENGTH_MAX)}…`;
  return url === null ? "Events to fetch" : shortUrl(url);
}

/** Returns what the user has to type as a confirmation, and the label for it. */
export function typedName({ url, description }: Named): { readonly label: string; readonly word: string } {
  const seen = visibleText(description);
  if (seen !== "" && seen.length <= TYPED_LENGTH_MAX) return { label: "Its description", word: seen };
  if (url !== null) return { label: "The host of its URL", word: hostOf(url) };
  return { label: "A word", word: "remove" };
}

/** Returns a URL without its query, which may contain a token. The result shows that there was a query. */
export function withoutQuery(url: string): string {
  const end = /[?#]/.exec(url)?.index;
  return end === undefined || end === url.length - 1 ? url : `${url.slice(0, end + 1)}…`;
}

/**
 * Returns the distinguishing part of a URL on one line: `hooks.example.com/waypost`. The middle of a long URL is left
 * out.
 */
export function shortUrl(url: string): string {
  const text = withoutQuery(url)
    .replace(/^https:\/\//i, "")
    .replace(/\/$/, "");
  return text.length <= URL_LENGTH_MAX ? text : `${text.slice(0, BEGINNING)}…${text.slice(-END)}`;
}

/** Returns the host, which says whose URL it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
