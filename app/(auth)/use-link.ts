"use client";

import { useEffect, useState } from "react";
import { toApiError } from "@/app/ui/api-error";

export type Link<T> =
  | { readonly kind: "opening" }
  | { readonly kind: "open"; readonly token: string; readonly data: T }
  | DeadLink;

interface DeadLink {
  readonly kind: "dead";
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/**
 * A link whose token stands behind the `#`, where no server sees it. It is taken out of the address at once, so that it
 * isn't kept in the browser's history.
 */
export function useLink<T>(open: (token: string) => Promise<T>): Link<T> {
  const [link, setLink] = useState<Link<T>>({ kind: "opening" });
  useEffect(() => {
    let newest = 0;
    const follow = () => {
      const mine = ++newest;
      const update = (data: Link<T>) => mine === newest && setLink(data);
      takeToken()
        .then(async (token) => ({ kind: "open", token, data: await open(token) }) as const)
        .then(update, (error: unknown) => update(deadLinkOf(error)));
    };
    follow();
    // Another link, pasted into the same tab, changes what stands behind the `#` and nothing else.
    const followAnother = () => window.location.hash !== "" && follow();
    window.addEventListener("hashchange", followAnother);
    return () => {
      newest += 1;
      window.removeEventListener("hashchange", followAnother);
    };
  }, [open]);
  return link;
}

class NoToken extends Error {}

const ASK_ANEW = "Ask the person who gave you the link for a new one.";

function deadLinkOf(error: unknown): DeadLink {
  if (error instanceof NoToken) {
    return { kind: "dead", message: "This page needs the complete link.", remedy: ASK_ANEW };
  }
  const { message, remedy } = toApiError(error);
  return { kind: "dead", message, remedy: remedy ?? ASK_ANEW };
}

/** For a page that React builds up twice: the address has lost the token by then. */
const tokens = new Map<string, string>();

async function takeToken(): Promise<string> {
  const { hash, pathname } = window.location;
  const token = hash.slice(1) || tokens.get(pathname);
  if (!token) throw new NoToken();
  tokens.set(pathname, token);
  window.history.replaceState(window.history.state, "", pathname);
  return token;
}
