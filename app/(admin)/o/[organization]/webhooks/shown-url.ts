const LENGTH_MAX = 64;
/** Of a longer one, before and behind the gap. */
const BEGINNING = 40;
const END = 20;

/** A URL without its query, in which a token may be: that there is one is said. */
export function withoutQuery(url: string): string {
  const end = /[?#]/.exec(url)?.index;
  return end === undefined || end === url.length - 1 ? url : `${url.slice(0, end + 1)}…`;
}

/** What tells a URL from others, on one line: `hooks.example.com/waypost`. Of a long one the middle is left out. */
export function shortUrl(url: string): string {
  const text = withoutQuery(url)
    .replace(/^https:\/\//i, "")
    .replace(/\/$/, "");
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, BEGINNING)}…${text.slice(-END)}`;
}

/** The part that says whose it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
