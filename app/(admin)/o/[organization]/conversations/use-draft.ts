import { useState } from "react";
import type { Attachment } from "./use-attachment";
import { mayHaveCaption } from "./words";

export type Mode = "text" | "template" | "note";

/** The unsent text. Each kind of answer keeps its own, so that switching between them loses nothing. */
export interface Draft {
  /** Null until one is chosen: then the window decides. */
  readonly mode: Mode | null;
  readonly body: string;
  readonly note: string;
  readonly templateId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly attachment: Attachment | null;
}

const EMPTY: Draft = {
  mode: null,
  body: "",
  note: "",
  templateId: "",
  variables: {},
  attachment: null,
};

/** Drafts by conversation, while the app is open: looking at another conversation loses nothing. */
const drafts = new Map<string, Draft>();

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
    set: (part: Partial<Draft>) => put((draft) => ({ ...draft, ...part })),
    /** Empties what was sent. */
    reset: (mode: Mode) => put((draft) => ({ ...draft, ...without[mode](draft) })),
  };
}

/** The parts that are emptied once a draft is sent. */
const without: Readonly<Record<Mode, (draft: Draft) => Partial<Draft>>> = {
  note: () => ({ note: "", mode: null }),
  text: ({ body, attachment }) => ({
    body: attachment === null || mayHaveCaption(attachment.type) ? "" : body,
    attachment: null,
  }),
  template: () => ({ templateId: "", variables: {} }),
};
