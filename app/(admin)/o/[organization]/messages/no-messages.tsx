"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { NoMatches } from "@/app/ui/filters";
import { createFollower } from "@/app/ui/follow";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { useMay, usePath } from "../shared/viewer";

/** Shown in place of an empty list. */
export function NoMessages({
  searched,
  isFiltered,
  isMore,
  onClear,
  steps,
}: {
  searched: string;
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
  steps: ReactNode;
}) {
  if (!isFiltered) return <FirstSteps steps={steps} />;
  return (
    <NoMatches
      noun="messages"
      isMore={isMore}
      advice="Check the spelling or clear the filters."
      clear="Clear search and filters"
      onClear={onClear}
    >
      {searched === "" || isMore ? null : (
        <>
          <RefusedInstead key={searched} id={searched} />
          <LookElsewhere searched={searched} />
        </>
      )}
    </NoMatches>
  );
}

const ONE = "1";

/** Shown before the first message: how to connect a number if there is none yet, and `steps` otherwise. */
function FirstSteps({ steps }: { steps: ReactNode }) {
  const query = useQuery(useTRPC().channels.list.queryOptions({ limit: ONE }));
  return (
    <QueryState query={query} rows={2}>
      {({ data }) => (data.length === 0 ? <ConnectFirst /> : steps)}
    </QueryState>
  );
}

function ConnectFirst() {
  const path = usePath();
  const may = useMay();
  if (!may("channels.manage")) {
    return (
      <Empty title="No number connected yet">
        Messages are sent from your own number. Ask an owner or admin of the organization to connect one.
      </Empty>
    );
  }
  return (
    <Empty title="Connect a number first">
      <p>Messages are sent from your own WhatsApp number. You have to connect it first.</p>
      <Button component={PageLink} href={path("/channels")} size="xs" mt="xs">
        Connect a number
      </Button>
    </Empty>
  );
}

/** Shown if no message was found because its request was refused: the refused request with the id from the search. */
function RefusedInstead({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayRead = useMay()("requests.read");
  // A refusal may appear in the list some seconds after its response. Once found, it no longer changes.
  const [isFound, setIsFound] = useState(false);
  const [pauseMs] = useState(createFollower);
  const query = useQuery(
    trpc.requests.list.queryOptions(
      { anyId: id, limit: "1" },
      { enabled: mayRead, refetchInterval: ({ state }) => !isFound && pauseMs(state) },
    ),
  );
  const found = query.data?.data[0];
  if (found !== undefined && !isFound) setIsFound(true);
  if (found === undefined) return null;
  return (
    <p aria-live="polite">
      A request with this ID <InlineLink to={`/requests/${found.requestId}`}>was refused</InlineLink>{" "}
      <Time at={found.at} />: {found.code}
    </p>
  );
}

/** Longer lists are on the contacts page. */
const CONTACTS_MAX = "3";
/** The search treats at least this many digits as the end of a number. */
const NUMBER = /^[\s\d()+./-]*$/;
const DIGITS_MIN = 6;

/** Shown if no message was found: contacts with that name or number, and how to find refused requests. */
function LookElsewhere({ searched }: { searched: string }) {
  const may = useMay();
  const isNumber = NUMBER.test(searched) && searched.replace(/\D/g, "").length >= DIGITS_MIN;
  return (
    <>
      {may("contacts.read") ? <ContactsNamed q={searched} /> : null}
      {isNumber && may("requests.read") ? (
        <p>
          This search also shows refused requests of the last seven days, if they were stored individually. If
          no contact has the number, enter the full number with its country code to find them.
        </p>
      ) : null}
    </>
  );
}

function ContactsNamed({ q }: { q: string }) {
  const trpc = useTRPC();
  const contacts = useQuery(trpc.contacts.search.queryOptions({ q, limit: CONTACTS_MAX })).data?.data ?? [];
  if (contacts.length === 0) return null;
  return (
    <p aria-live="polite">
      You can’t search messages by name. Matching contacts:{" "}
      {contacts.map(({ id, name, number }) => (
        <span key={id}>
          <InlineLink to={`/contacts/${id}`}>
            {name ?? (number === null ? "no name" : `+${number}`)}
          </InlineLink>
          {", "}
        </span>
      ))}
      <InlineLink to={`/contacts?${new URLSearchParams({ q }).toString()}`}>See all in Contacts</InlineLink>.
    </p>
  );
}
