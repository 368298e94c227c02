const LENGTH_MAX = 64;
/** Characters of a longer URL that are kept before and after the gap. */
const BEGINNING = 40;
const END = 20;

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
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, BEGINNING)}…${text.slice(-END)}`;
}

/** Returns the host, which says whose URL it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
