import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Tone } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import type { Inspection } from "./message-panel";
import styles from "../shared/timeline.module.css";

type Entry = Inspection["timeline"][number];
type Said = Extract<Entry, { kind: "attempt" }>["said"];

/** Lists everything that happened to a message, oldest first. */
export function Timeline({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className={styles.timeline}>
      {entries.map((entry, place) => {
        const { title, tone, more } = wordsOf(entry);
        return (
          // Entries are only ever appended.
          <li key={place} data-tone={tone}>
            <Text fw={550}>{title}</Text>
            <Small>
              <Time at={entry.at} isExact />
            </Small>
            {more}
            {"said" in entry ? <WhatsAppSaid said={entry.said} /> : null}
          </li>
        );
      })}
    </ol>
  );
}

interface Words {
  readonly title: string;
  readonly tone: Tone;
  readonly more?: ReactNode;
}

const OUTCOMES = {
  accepted: { words: "accepted by WhatsApp", tone: "good" },
  rejected: { words: "refused by WhatsApp", tone: "bad" },
  retry: { words: "not sent, will be retried", tone: "warn" },
  uncertain: { words: "no response", tone: "warn" },
} as const satisfies Record<string, { words: string; tone: Tone }>;

const LEARNT = {
  answer: "from WhatsApp’s response",
  callback: "from a WhatsApp callback",
  waypost: "set by Waypost",
} as const;

const STATES = {
  sent: { words: "Sent", tone: "neutral" },
  delivered: { words: "Delivered", tone: "good" },
  read: { words: "Read", tone: "good" },
  failed: { words: "Failed", tone: "bad" },
} as const satisfies Record<string, { words: string; tone: Tone }>;

function wordsOf(entry: Entry): Words {
  switch (entry.kind) {
    case "accepted":
      return { title: "Accepted", tone: "neutral" };
    case "attempt":
      return attemptWords(entry);
    case "retry":
      return {
        title: "Waiting for retry",
        tone: "warn",
        more: entry.nextAttemptAt === null ? null : <Note before="Next attempt" at={entry.nextAttemptAt} />,
      };
    case "uncertain":
      return {
        title: "Waiting for confirmation",
        tone: "warn",
        more: entry.waitsUntil === null ? null : <Note before="Waits until" at={entry.waitsUntil} />,
      };
    case "erased":
      return { title: "Text and number erased", tone: "neutral" };
    case "sent":
    case "delivered":
    case "read":
    case "failed":
      return stateWords(entry);
  }
}

function attemptWords({ number, outcome, finishedAt, at }: Extract<Entry, { kind: "attempt" }>): Words {
  if (outcome === null || finishedAt === null) {
    return { title: `Attempt ${number}: being sent to WhatsApp now`, tone: "neutral" };
  }
  const tookMs = new Date(finishedAt).getTime() - new Date(at).getTime();
  const { words, tone } = OUTCOMES[outcome];
  return { title: `Attempt ${number}: ${words}`, tone, more: <Small>{`after ${tookMs} ms`}</Small> };
}

function stateWords(entry: Extract<Entry, { source: string }>): Words {
  const { words, tone } = STATES[entry.kind];
  const notes = [
    entry.isInferred ? "inferred from “read”" : LEARNT[entry.source],
    ...(entry.errorCode === null ? [] : [entry.errorCode]),
    ...(entry.isNews ? [] : ["no change"]),
  ];
  return { title: words, tone: entry.isNews ? tone : "neutral", more: <Small>{notes.join(" · ")}</Small> };
}

function Note({ before, at }: { before: string; at: string }) {
  return (
    <Small>
      {before} <Time at={at} isExact />
    </Small>
  );
}

function Small({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" fz="0.8125rem">
      {children}
    </Text>
  );
}

/** The upstream's error code, its title and its message. */
function WhatsAppSaid({ said: { httpStatus, code, title, words } }: { said: Said }) {
  const facts = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(code === null ? [] : [`WhatsApp error code ${code}`]),
  ];
  if (facts.length === 0 && words === null) return null;
  return (
    <>
      <Small>{[...facts, ...(title === null ? [] : [title])].join(" · ")}</Small>
      {words === null ? null : <Small>“{words}”</Small>}
    </>
  );
}
