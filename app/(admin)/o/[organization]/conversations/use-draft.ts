import { useState } from "react";
import { withoutPrefix } from "@/app/ui/format";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { keepPageWhile } from "@/app/ui/leave";
import type { Attachment } from "./use-attachment";
import { mayHaveCaption } from "./words";

export type Mode = "text" | "template" | "note";

/** The message that an answer quotes. */
export interface QuotedMessage {
  readonly id: string;
  readonly author: string;
  readonly line: string;
}

/** The unsent text. Each kind of answer keeps its own, so that switching between them loses nothing. */
export interface Draft {
  /** Null until one is chosen: then the window decides. */
  readonly mode: Mode | null;
  readonly body: string;
  readonly note: string;
  readonly templateId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly attachment: Attachment | null;
  readonly quoted: QuotedMessage | null;
}

const EMPTY: Draft = {
  mode: null,
  body: "",
  note: "",
  templateId: "",
  variables: {},
  attachment: null,
  quoted: null,
};

/** Drafts by conversation, while the app is open: looking at another conversation loses nothing. */
const drafts = new Map<string, Draft>();

/** Returns true if a draft has a text or a file to send. */
export const isTyped = ({ body, attachment }: Draft): boolean => body.trim() !== "" || attachment !== null;

keepPageWhile(() =>
  [...drafts.values()].some((draft) => {
    const values = Object.values(draft.variables);
    return isTyped(draft) || [draft.note, ...values].some((text) => text.trim() !== "");
  }),
);

/** Idempotency tokens by conversation and content, of what isn't known to be sent. */
const unconfirmed = new Map<string, string>();

/** The draft of one conversation. */
export function useDraft(threadId: string) {
  const [draft, setDraft] = useState(() => drafts.get(threadId) ?? EMPTY);
  // The newest one: an upload ends while somebody types.
  const put = (change: (draft: Draft) => Draft) => {
    const next = change(drafts.get(threadId) ?? EMPTY);
    drafts.set(threadId, next);
    setDraft(next);
  };
  return {
    draft,
    set: (part: Partial<Draft>) => put((current) => ({ ...current, ...part })),
    /**
     * Sends a content with an idempotency token. If the response was lost, the same content is sent with the same
     * token, so that the customer gets it once.
     */
    sendOnce: async (content: object, send: (idempotencyToken: string) => Promise<unknown>) => {
      const key = JSON.stringify([threadId, content]);
      const token = unconfirmed.get(key) ?? newIdempotencyToken();
      unconfirmed.set(key, token);
      await send(token);
      unconfirmed.delete(key);
    },
    /** Empties what was sent. What has been added since stays. */
    empty: (mode: Mode, sent: Draft) => put((current) => ({ ...current, ...rest[mode](current, sent) })),
  };
}

export type Drafting = ReturnType<typeof useDraft>;

/** Return what of a draft changes once it is sent. */
const rest: Readonly<Record<Mode, (current: Draft, sent: Draft) => Partial<Draft>>> = {
  note: ({ note }, sent) => ({ note: withoutPrefix(note, sent.note), mode: null }),
  text: (current, sent) => {
    const isBodySent = sent.attachment === null || mayHaveCaption(sent.attachment.type);
    const isAttached = current.attachment?.storageKey === sent.attachment?.storageKey;
    return {
      body: isBodySent ? withoutPrefix(current.body, sent.body) : current.body,
      attachment: isAttached ? null : current.attachment,
      quoted: restOfQuote(current, sent),
    };
  },
  template: (current, sent) => ({
    ...(current.templateId === sent.templateId ? { templateId: "", variables: {} } : {}),
    quoted: restOfQuote(current, sent),
  }),
};

const restOfQuote = (current: Draft, sent: Draft) =>
  current.quoted?.id === sent.quoted?.id ? null : current.quoted;
