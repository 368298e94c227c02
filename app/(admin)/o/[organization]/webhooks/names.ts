import { visibleText } from "@/app/ui/visible-text";
import { hostOf, shortUrl } from "./shown-url";
import type { Endpoint } from "./types";

const LENGTH_MAX = 80;

type Named = Pick<Endpoint, "url" | "description">;

/** Returns an endpoint's name: its description, else its URL. */
export function nameOf({ url, description }: Named): string {
  const seen = visibleText(description);
  if (seen !== "") return seen.length <= LENGTH_MAX ? seen : `${seen.slice(0, LENGTH_MAX)}…`;
  return url === null ? "Events to fetch" : shortUrl(url);
}

/** Longer names are too much to type. */
const TYPED_LENGTH_MAX = 40;

/** Returns what the user has to type as a confirmation, and the label for it. */
export function typedName({ url, description }: Named): { readonly label: string; readonly word: string } {
  const seen = visibleText(description);
  if (seen !== "" && seen.length <= TYPED_LENGTH_MAX) return { label: "Its description", word: seen };
  if (url !== null) return { label: "The host of its URL", word: hostOf(url) };
  return { label: "A word", word: "remove" };
}
