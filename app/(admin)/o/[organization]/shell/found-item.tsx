"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { IconAddressBook, IconBan, IconBolt, IconKey, IconMessage, IconZoomQuestion } from "@/app/ui/icons";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { StateTag } from "../shared/message-state";
import styles from "./quick-search.module.css";
import type { Found } from "./use-quick-search";
import { usePath } from "../shared/viewer";

/** Returns the element id of one search result. */
export function idOf(found: Found): string {
  switch (found.kind) {
    case "page":
      return `page-${found.page.path.slice(1)}`;
    case "action":
      return `action-${found.action.path.replaceAll(/[^\w-]/g, "-")}`;
    case "message":
      return `message-${found.message.id}`;
    case "contact":
      return `contact-${found.contact.id}`;
    case "key":
      return `key-${found.key.id}`;
    case "request":
      return `request-${found.request.requestId}`;
    case "found-key":
      return "found-key";
  }
}

/** Returns a function that gives the URL of a search result. */
export function useAddressOf(): (found: Found) => string {
  const path = usePath();
  return (found) => {
    switch (found.kind) {
      case "page":
        return found.page.isOfOrganization ? path(found.page.path) : found.page.path;
      case "action":
        return path(found.action.path);
      case "message":
        return path(`/messages/${found.message.id}`);
      case "contact":
        return path(`/contacts/${found.contact.id}`);
      case "key":
        return path(`/keys/${found.key.id}`);
      case "request":
        return path(`/requests/${found.request.requestId}`);
      case "found-key":
        return path("/keys?dialog=found");
    }
  };
}

export function FoundItem({
  found,
  id,
  isActive,
  onHover,
  onChoose,
}: {
  found: Found;
  id: string;
  isActive: boolean;
  onHover: () => void;
  onChoose: () => void;
}) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const { Icon, label, about, aside } = contentOf(found);
  // The field keeps the focus and handles the keys, so this click handler is for the mouse only.
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={item}
      id={id}
      // The `option` element of HTML can’t be in the list of a combobox.
      // eslint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.item}
      onMouseMove={isActive ? undefined : onHover}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {about === null ? null : <span className={styles.about}>{about}</span>}
      </span>
      {aside}
    </div>
  );
}

interface Content {
  readonly Icon: typeof IconKey;
  readonly label: string;
  readonly about: ReactNode;
  readonly aside: ReactNode;
}

function contentOf(found: Found): Content {
  switch (found.kind) {
    case "page":
      return { Icon: found.page.Icon, label: found.page.label, about: null, aside: null };
    case "action":
      return { Icon: IconBolt, label: found.action.label, about: null, aside: null };
    case "message":
      return messageContent(found.message);
    case "contact":
      return contactContent(found.contact);
    case "key":
      return keyContent(found.key);
    case "request":
      return requestContent(found.request);
    case "found-key":
      return {
        Icon: IconZoomQuestion,
        label: "Look up a key",
        about: "See which key it is and revoke it",
        aside: null,
      };
  }
}

type Of<K extends Found["kind"]> = Extract<Found, { kind: K }>;

function messageContent(message: Of<"message">["message"]): Content {
  const { preview, type, erasedAt, recipient, clientMessageId, state, inDoubtSince, createdAt } = message;
  const to = recipient === null ? "erased" : `to ${numberOf(recipient)}`;
  return {
    Icon: IconMessage,
    label: erasedAt === null ? (preview ?? type) : "Erased",
    about: (
      <>
        {clientMessageId ?? to} · <Time at={createdAt} />
      </>
    ),
    aside: <StateTag state={state} isInDoubt={inDoubtSince !== null} />,
  };
}

function contactContent({ name, number, userId }: Of<"contact">["contact"]): Content {
  const handle = number === null ? userId : numberOf(number);
  return {
    Icon: IconAddressBook,
    label: name ?? handle ?? "No data",
    about: name === null ? null : handle,
    aside: null,
  };
}

function keyContent({ name, status, secrets: [secret] }: Of<"key">["key"]): Content {
  return {
    Icon: IconKey,
    label: name,
    about: secret === undefined ? null : `${secret.prefix}…${secret.lastFour}`,
    aside: status === "live" ? null : <Tag tone="neutral">{status}</Tag>,
  };
}

function requestContent({ code, clientMessageId, requestId, at }: Of<"request">["request"]): Content {
  return {
    Icon: IconBan,
    label: code,
    about: (
      <>
        {clientMessageId ?? requestId} · <Time at={at} />
      </>
    ),
    aside: <Tag tone="bad">refused</Tag>,
  };
}

/** Formats a number as people write it. Ids of people without a number stay unchanged. */
function numberOf(handle: string): string {
  return /^\d+$/.test(handle) ? `+${handle}` : handle;
}
