"use client";

import {
  AppStore,
  type ContentItemModel,
  ContentItems,
  OptionsProvider,
  RedocWrap,
  StoreProvider,
  ThemeProvider,
} from "redoc";
import { useEffect, useRef } from "react";
import styles from "./api.module.css";
import { type ColourScheme, redocOptions } from "./theme";

type OpenApiDocument = ConstructorParameters<typeof AppStore>[0];

/** Redoc's view of the document. `close` stops its observers of the window. */
export function openReference(document: OpenApiDocument, scheme: ColourScheme) {
  const store = new AppStore(document, undefined, redocOptions(scheme), false);
  const operations = store.menu.flatItems.filter(({ type }) => type === "operation");

  function Operations() {
    const frame = useRef<HTMLDivElement>(null);
    useEffect(() => {
      // Scrolls to the operation that the URL names: it didn't exist yet when the browser looked for it.
      const id = decodeURIComponent(window.location.hash.slice(1));
      if (id) frame.current?.querySelector(`[id="${CSS.escape(id)}"]`)?.scrollIntoView();
    }, []);
    return (
      <div ref={frame} className={styles.reference}>
        <nav aria-label="Operations" className={styles.operations}>
          <ul>
            {operations.map(({ id, name, ...item }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <code>{methodOf(item)}</code> {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeProvider theme={store.options.theme}>
          <StoreProvider value={store}>
            <OptionsProvider value={store.options}>
              <RedocWrap className="redoc-wrap">
                <div className={styles.content}>
                  <ContentItems items={contentOf(store)} />
                </div>
              </RedocWrap>
            </OptionsProvider>
          </StoreProvider>
        </ThemeProvider>
      </div>
    );
  }

  return { Operations, close: () => store.dispose() };
}

/**
 * Guarantee: the items of a menu that Redoc built from a document are that document's content, as Redoc's own page
 * shows it.
 */
function contentOf(store: AppStore): ContentItemModel[] {
  return store.menu.items as ContentItemModel[];
}

/** Guarantee: Redoc's operations have a method; the general type of menu items lacks it. */
function methodOf(item: object): string {
  return "httpVerb" in item ? String(item.httpVerb).toUpperCase() : "";
}
