"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { holdsSecret } from "@/app/ui/secret-text";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { findPages, type FoundPage } from "./find-pages";
import { useMay, useMayOpen } from "../shared/viewer";

type Message = inferOutput<Procedures["messages"]["search"]>["data"][number];
type Contact = inferOutput<Procedures["contacts"]["search"]>["data"][number];
type Key = inferOutput<Procedures["keys"]["list"]>["data"][number];
type RefusedRequest = inferOutput<Procedures["requests"]["list"]>["data"][number];

export type Found =
  | { readonly kind: "page"; readonly page: FoundPage }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "contact"; readonly contact: Contact }
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "request"; readonly request: RefusedRequest }
  /** The action for a secret that was pasted. */
  | { readonly kind: "found-key" };

export interface FoundGroup {
  readonly label: string;
  readonly found: readonly Found[];
}

const TYPING_MS = 200;
/** Maximum results of each kind. Longer lists are on the kind's own page. */
const FOUND_MAX = "5";
/** Shorter texts match too many results. */
const LENGTH_MIN = 2;
const LENGTH_MAX = 500;

/** Ids that match exactly one thing. */
const EXACT = new Set(["message_id", "client_message_id", "request_id", "wamid"]);

/**
 * Searches everything that a text can mean: pages immediately, the rest as soon as typing pauses. Earlier requests are
 * cancelled, so that their responses never show.
 */
export function useQuickSearch(typed: string) {
  const may = useMay();
  const mayOpen = useMayOpen();
  const text = typed.trim().slice(0, LENGTH_MAX);
  const isSecret = holdsSecret(text);
  const isLong = text.length >= LENGTH_MIN && !isSecret;
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const isAsked = isLong && settled === text;
  const { messages, contacts, keys, requests, refusedFor, isLoading, error } = useThings(text, isAsked);
  const things = {
    messages: messages.map((message): Found => ({ kind: "message", message })),
    contacts: contacts.map((contact): Found => ({ kind: "contact", contact })),
    keys: keys.map((key): Found => ({ kind: "key", key })),
    requests: requests.map((request): Found => ({ kind: "request", request })),
    refusedFor: refusedFor
      .filter(({ requestId }) => !requests.some((known) => known.requestId === requestId))
      .map((request): Found => ({ kind: "request", request })),
    pages: isSecret ? [] : findPages(text, mayOpen).map((page): Found => ({ kind: "page", page })),
  };
  const isExact = messages.some(({ matchedBy }) => matchedBy !== null && EXACT.has(matchedBy));
  const groups: FoundGroup[] = [
    { label: "Messages", found: isExact ? things.messages : [] },
    { label: "Refused requests", found: things.requests },
    { label: "Pages", found: things.pages },
    { label: "Contacts", found: things.contacts },
    { label: "API keys", found: things.keys },
    { label: "Messages", found: isExact ? [] : things.messages },
    { label: "Refused requests to this customer", found: things.refusedFor },
    {
      label: "A secret",
      found: isSecret && may("integrations.manage_api") ? [{ kind: "found-key" }] : [],
    },
  ];
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    /** True while results may still arrive. */
    isLoading: isLong && (!isAsked || isLoading),
    isSecret,
    error: isAsked ? error : null,
  };
}

function useThings(q: string, isAsked: boolean) {
  const trpc = useTRPC();
  const may = useMay();
  const given = (capability: Parameters<typeof may>[0]) => ({
    enabled: isAsked && may(capability),
    trpc: { abortOnUnmount: true },
  });
  const messages = useQuery(
    trpc.messages.search.queryOptions({ q, limit: FOUND_MAX }, given("messages.read")),
  );
  const contacts = useQuery(
    trpc.contacts.search.queryOptions({ q, limit: FOUND_MAX }, given("contacts.read")),
  );
  const keys = useQuery(
    trpc.keys.list.queryOptions({ q, limit: Number(FOUND_MAX) }, given("integrations.manage_api")),
  );
  const requests = useQuery(
    trpc.requests.list.queryOptions({ anyId: q, limit: FOUND_MAX }, given("requests.read")),
  );
  const refusedFor = useQuery(
    trpc.requests.list.queryOptions({ recipient: q, limit: FOUND_MAX }, given("requests.read")),
  );
  const all = [messages, contacts, keys, requests, refusedFor];
  return {
    messages: (isAsked ? messages.data?.data : null) ?? [],
    contacts: (isAsked ? contacts.data?.data : null) ?? [],
    keys: (isAsked ? keys.data?.data : null) ?? [],
    requests: (isAsked ? requests.data?.data : null) ?? [],
    refusedFor: (isAsked ? refusedFor.data?.data : null) ?? [],
    isLoading: all.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
}
