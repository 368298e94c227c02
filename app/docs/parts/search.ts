import MiniSearch from "minisearch";

/** A part of a page that can be linked to: the page itself, a heading, or a row of a table. */
export interface Section {
  /** Path with the anchor, if the section isn't the whole page. */
  readonly href: string;
  /** Title of the page. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

export interface SearchResult extends Section {
  /** The words around the first match in the text. */
  readonly excerpt: string;
}

export type Search = (query: string) => readonly SearchResult[];

const RESULTS_MAX = 20;

/** Words of questions, which say nothing about the answer. */
const STOP_WORDS = new Set([
  "a",
  "an",
  "are",
  "can",
  "do",
  "does",
  "how",
  "i",
  "is",
  "it",
  "my",
  "of",
  "the",
  "to",
  "what",
  "when",
  "why",
]);

/**
 * Returns a function that finds sections, the best first. A section whose title, anchor or code is the whole query
 * comes first.
 */
export function createSearch(sections: readonly Section[]): Search {
  const index = new MiniSearch<Section>({
    idField: "href",
    fields: ["title", "page", "text"],
    processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: (_, place, terms) => place === terms.length - 1,
      fuzzy: (term) => (/\d/.test(term) || term.length < 5 ? false : 0.2),
      combineWith: "AND",
    },
  });
  index.addAll(sections);
  const byHref = new Map(sections.map((section) => [section.href, section]));
  return (query) => {
    const wanted = query.trim().toLowerCase();
    if (wanted === "") return [];
    const name = wanted.replace(/\/api\/public\/v1(?=\/)/, "");
    const named = sections.filter((section) => namesOf(section).includes(name));
    // A guide can have a section of the same name.
    const exact = [...named.filter(isInReference), ...named.filter((section) => !isInReference(section))];
    const all = index.search(query);
    // A question has words that no section has.
    const found = all.length > 0 ? all : index.search(query, { combineWith: "OR" });
    return [...new Set([...exact, ...found.flatMap(({ id }) => byHref.get(id) ?? [])])]
      .slice(0, RESULTS_MAX)
      .map((section) => ({ ...section, excerpt: excerptOf(section.text, wanted) }));
  };
}

const isInReference = ({ href }: Section) => /^\/docs\/(api|errors)#/.test(href);

/** An operation of the reference begins with its method and path. */
const OPERATION = /^((?:GET|POST|PATCH|PUT|DELETE) (\/\S*))/;

/**
 * Returns the names of a section, in lower case. `131026` is a name of `131026: Message undeliverable`, and its path is
 * a name of an operation.
 */
function namesOf({ title, href, text }: Section): readonly string[] {
  const anchor = href.split("#")[1] ?? "";
  const [, operation = "", path = ""] = OPERATION.exec(text) ?? [];
  const names = [title, title.split(": ")[0] ?? "", anchor, anchor.replace(/^event-/, ""), operation, path];
  return names.filter((name) => name !== "").map((name) => name.toLowerCase());
}

const EXCERPT_CHARACTERS = 140;
const BEFORE_CHARACTERS = 40;

function excerptOf(text: string, query: string): string {
  const at = query
    .split(/\s+/)
    .map((word) => text.toLowerCase().indexOf(word))
    .find((place) => place >= 0);
  const start =
    at === undefined || at < BEFORE_CHARACTERS ? 0 : text.lastIndexOf(" ", at - BEFORE_CHARACTERS) + 1;
  const limit = start + EXCERPT_CHARACTERS;
  const end = limit < text.length ? Math.max(text.lastIndexOf(" ", limit), start + 1) : limit;
  return `${start > 0 ? "… " : ""}${text.slice(start, end).trim()}${end < text.length ? " …" : ""}`;
}
