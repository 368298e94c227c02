"use client";

import { Anchor, Stack, Text, Title } from "@mantine/core";
import { createTRPCClient, httpLink } from "@trpc/client";
import Link from "next/link";
import { useEffect, useState } from "react";
import { toApiError } from "@/app/ui/api-error";
import type { AppRouter } from "@/server/edge/trpc/router";

type Opened<T> =
  | { readonly kind: "opening" }
  | { readonly kind: "open"; readonly token: string; readonly data: T }
  | Dead;

interface Dead {
  readonly kind: "dead";
  readonly message: string;
  /** The next step for the user. */
  readonly remedy: string;
}

/**
 * Opens a link whose token is behind the `#`, where no server sees it. The token is removed from the URL immediately,
 * so that the browser's history doesn't keep it.
 */
export function useLink<T>(open: (token: string) => Promise<T>): Opened<T> {
  const [link, setLink] = useState<Opened<T>>({ kind: "opening" });
  useEffect(() => {
    let newest = 0;
    const follow = () => {
      const mine = ++newest;
      const update = (data: Opened<T>) => mine === newest && setLink(data);
      takeToken()
        .then(async (token) => ({ kind: "open", token, data: await open(token) }) as const)
        .then(update, (error: unknown) => update(deadLinkOf(error)));
    };
    follow();
    // Pasting another link into the same tab changes only the part behind the `#`.
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

function deadLinkOf(error: unknown): Dead {
  if (error instanceof NoToken) {
    return { kind: "dead", message: "This page needs the complete link.", remedy: ASK_ANEW };
  }
  const { message, remedy } = toApiError(error);
  return { kind: "dead", message, remedy: remedy ?? ASK_ANEW };
}

/** React may mount a component twice, and the URL no longer has the token the second time. */
const tokens = new Map<string, string>();

async function takeToken(): Promise<string> {
  const { hash, pathname } = window.location;
  const token = hash.slice(1) || tokens.get(pathname);
  if (!token) throw new NoToken();
  tokens.set(pathname, token);
  window.history.replaceState(window.history.state, "", pathname);
  return token;
}

export function DeadLink({ message, remedy }: { message: string; remedy: string }) {
  return (
    <Stack>
      <Title order={1}>This link doesn’t work</Title>
      <Text>
        {message} {remedy}
      </Text>
      <Anchor component={Link} href="/sign-in">
        Sign in
      </Anchor>
    </Stack>
  );
}

/** A client for the procedures that are open to anybody with a link. */
export const openCalls = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });
