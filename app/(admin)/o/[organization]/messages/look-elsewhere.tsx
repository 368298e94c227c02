"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { useMay } from "../shared/viewer";

/** Longer lists are on the contacts page. */
const CONTACTS_MAX = "3";
/** The search treats at least this many digits as the end of a number. */
const NUMBER = /^[\s\d()+./-]*$/;
const DIGITS_MIN = 6;

/** Shown if no message was found: contacts with that name or number, and how to find refused requests. */
export function LookElsewhere({ searched }: { searched: string }) {
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
  const contacts = useQuery(trpc.contacts.list.queryOptions({ q, limit: CONTACTS_MAX })).data?.data ?? [];
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
