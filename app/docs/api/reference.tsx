"use client";

import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { shareNonceWithLibraries } from "@/app/ui/document-nonce";
import styles from "./api.module.css";
import type { ColourScheme } from "./theme";

type Shown = { readonly Operations: ComponentType; close(): void };
type State = { readonly kind: "loading" | "failed" } | ({ readonly kind: "shown" } & Shown);

/**
 * Shows every operation of the OpenAPI document with Redoc. Redoc is loaded only here, in the browser, and without its
 * menu, which would load a picture from another site.
 */
export function Reference({ documentUrl }: { documentUrl: string }) {
  const scheme = useColourScheme();
  const [state, setState] = useState<State>({ kind: "loading" });
  useEffect(() => {
    const stop = new AbortController();
    let shown: Shown | undefined;
    load(documentUrl, scheme, stop.signal).then(
      (loaded) => {
        if (stop.signal.aborted) return loaded.close();
        shown = loaded;
        setState({ kind: "shown", ...loaded });
      },
      () => {
        if (!stop.signal.aborted) setState({ kind: "failed" });
      },
    );
    return () => {
      stop.abort();
      shown?.close();
    };
  }, [documentUrl, scheme]);

  if (state.kind === "shown") return <state.Operations />;
  if (state.kind === "loading") return <p className={styles.state}>Loading the reference …</p>;
  return (
    <p className={styles.state} role="alert">
      The reference could not be loaded. Reload the page, or open{" "}
      <a href={documentUrl}>the OpenAPI document</a>.
    </p>
  );
}

async function load(documentUrl: string, scheme: ColourScheme, signal: AbortSignal): Promise<Shown> {
  shareNonceWithLibraries();
  const [response, { openReference }] = await Promise.all([
    fetch(documentUrl, { signal }),
    import("./open-reference"),
  ]);
  if (!response.ok) throw new Error(`The document answered ${response.status}`);
  return openReference(await response.json(), scheme);
}

const DARK = "(prefers-color-scheme: dark)";

function useColourScheme(): ColourScheme {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(DARK);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => (window.matchMedia(DARK).matches ? "dark" : "light"),
    () => "light",
  );
}
