import { useState } from "react";

export type Mode = "text" | "template" | "note";

/** What was typed and not sent yet. Each way of writing keeps its own, so that switching loses nothing. */
export interface Draft {
  /** Null until one is chosen: then the window decides. */
  readonly mode: Mode | null;
  readonly body: string;
  readonly note: string;
  readonly templateId: string;
  readonly variables: Readonly<Record<string, string>>;
}

const EMPTY: Draft = { mode: null, body: "", note: "", templateId: "", variables: {} };

/** Drafts by conversation, while the app is open: looking at another conversation loses nothing. */
const drafts = new Map<string, Draft>();

/** The draft of one conversation. */
export function useDraft(threadId: string) {
  const [draft, setDraft] = useState(() => drafts.get(threadId) ?? EMPTY);
  const put = (next: Draft) => {
    drafts.set(threadId, next);
    setDraft(next);
  };
  return {
    draft,
    set: (part: Partial<Draft>) => put({ ...draft, ...part }),
    /** Empties what was sent. */
    reset: (mode: Mode) =>
      put(
        mode === "note"
          ? { ...draft, note: "", mode: null }
          : mode === "text"
            ? { ...draft, body: "" }
            : { ...draft, templateId: "", variables: {} },
      ),
  };
}
