"use client";

import { useEffect, useState } from "react";
import { refusalOf } from "@/app/ui/refusal";

export type Link<T> =
  | { readonly kind: "opening" }
  | { readonly kind: "open"; readonly token: string; readonly told: T }
  | { readonly kind: "dead"; readonly message: string };

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
      const tell = (told: Link<T>) => mine === newest && setLink(told);
      takeToken()
        .then(async (token) => ({ kind: "open", token, told: await open(token) }) as const)
        .then(tell, (error: unknown) => tell({ kind: "dead", message: messageOf(error) }));
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

const messageOf = (error: unknown) =>
  error instanceof NoToken ? "This address is only of use with the whole link." : refusalOf(error).message;

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
