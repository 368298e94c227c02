"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Search } from "./search";
import styles from "./search-box.module.css";

/**
 * Searches the documentation in the browser while its reader types. Without JavaScript, the form asks the server. `/`
 * focuses it, arrow keys choose a result, Enter opens it, Escape closes the list.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const { search, load } = useSearch();
  const [query, setQuery] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const listId = useId();
  useSlashKey(input);

  const results = search && isOpen ? search(query) : [];
  const isListed = isOpen && search !== null && query.trim() !== "";
  const current = results[chosen];
  const idOf = (place: number) => `${listId}-${place}`;
  const close = () => {
    setIsOpen(false);
    setChosen(-1);
  };
  const choose = (place: number) => {
    if (results.length === 0) return;
    const next = (place + results.length) % results.length;
    setChosen(next);
    document.getElementById(idOf(next))?.scrollIntoView({ block: "nearest" });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen <= 0 ? results.length - 1 : chosen - 1);
    else if (event.key === "Escape" && isListed) close();
    else if (event.key === "Enter" && current) {
      input.current?.blur();
      // The browser itself opens a collapsed section that contains the target.
      window.location.assign(current.href);
    } else return;
    event.preventDefault();
  };

  return (
    <search className={styles.search}>
      <form action="/docs/search">
        <input
          ref={input}
          className={styles.input}
          type="search"
          name="q"
          aria-label="Search the documentation"
          placeholder="Search"
          aria-keyshortcuts="/"
          autoComplete="off"
          maxLength={200}
          role="combobox"
          aria-expanded={isListed}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current ? idOf(chosen) : undefined}
          value={query}
          onFocus={() => {
            load();
            setIsOpen(true);
          }}
          onBlur={close}
          onChange={({ target }) => {
            load();
            setQuery(target.value);
            setIsOpen(true);
            setChosen(-1);
          }}
          onKeyDown={pressed}
        />
      </form>
      <div
        id={listId}
        // A browser's own list can't contain links.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        tabIndex={-1}
        aria-label="Results"
        className={styles.results}
        hidden={!isListed || results.length === 0}
        // A click mustn't take the focus from the input, which would close the list first.
        onMouseDown={(event) => event.preventDefault()}
      >
        {results.map(({ href, title, page, excerpt }, place) => (
          <a
            key={href}
            id={idOf(place)}
            // An option of a list that is a link: it can be opened in another tab, too.
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="option"
            aria-selected={place === chosen}
            tabIndex={-1}
            href={href}
            className={styles.result}
            onClick={() => input.current?.blur()}
          >
            <span className={styles.title}>{title}</span> <span className={styles.page}>{page}</span>
            <span className={styles.excerpt}>{excerpt}</span>
          </a>
        ))}
      </div>
      <output className={isListed && results.length === 0 ? styles.nothing : styles.unseen}>
        {isListed ? (results.length === 0 ? "Nothing found" : `${results.length} results`) : ""}
      </output>
    </search>
  );
}

const LOAD_TIMEOUT_MS = 15_000;

/** Loads the library and the sections when `load` is called first, and again after a failure. */
function useSearch() {
  const [search, setSearch] = useState<Search | null>(null);
  const loading = useRef(false);
  const load = () => {
    if (loading.current) return;
    loading.current = true;
    loadSearch().then(
      (loaded) => setSearch(() => loaded),
      () => (loading.current = false),
    );
  };
  return { search, load };
}

async function loadSearch(): Promise<Search> {
  const [{ createSearch }, response] = await Promise.all([
    import("./search"),
    fetch("/docs/search/sections.json", { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) }),
  ]);
  if (!response.ok) throw new Error(`The sections answered ${response.status}`);
  return createSearch(await response.json());
}

/** Focuses the input when `/` is pressed, except where text is entered. */
function useSlashKey(input: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        event.target instanceof Element &&
        event.target.closest("input, textarea, select, [contenteditable]")
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [input]);
}
