"use client";

import { Group, Switch, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { duration } from "@/app/ui/format";
import type { Tone } from "@/app/ui/tag";
import { exactTime, Time } from "@/app/ui/time";
import type { Inspection } from "./message-panel";
import { type Step, stepsOf } from "./timeline-steps";
import styles from "../shared/timeline.module.css";

type Entry = Inspection["timeline"][number];
type Attempts = Extract<Step, { kind: "attempts" }>;
type Said = Extract<Entry, { kind: "attempt" }>["said"];

/** Lists everything that happened to a message, oldest first. The upstream's raw responses are shown on request. */
export function Timeline({ entries }: { entries: readonly Entry[] }) {
  const [isDetailed, setIsDetailed] = useState(false);
  const start = new Date(entries[0]?.at ?? 0);
  return (
    <>
      <ol className={styles.timeline}>
        {stepsOf(entries, isDetailed).map((step) => {
          const { title, tone, at, notes, said } = wordsOf(step);
          return (
            <li key={step.key} data-tone={tone}>
              <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
                <Text fw={550}>{title}</Text>
                <Clock at={new Date(at)} start={start} />
              </Group>
              {notes.map((note, notePlace) => (
                <Small key={notePlace}>{note}</Small>
              ))}
              {isDetailed && said !== null ? <WhatsAppSaid said={said} /> : null}
            </li>
          );
        })}
      </ol>
      <Switch
        mt="sm"
        size="xs"
        label="Technical details"
        checked={isDetailed}
        onChange={({ currentTarget }) => setIsDetailed(currentTarget.checked)}
      />
    </>
  );
}

interface Words {
  readonly title: string;
  readonly tone: Tone;
  readonly at: string | Date;
  readonly notes: readonly ReactNode[];
  readonly said: Said | null;
}

const OUTCOMES = {
  accepted: { words: "accepted by WhatsApp", tone: "good" },
  rejected: { words: "refused by WhatsApp", tone: "bad" },
  retry: { words: "not sent", tone: "warn" },
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

function wordsOf(step: Step): Words {
  return step.kind === "attempts" ? attemptsWords(step) : entryWords(step.entry);
}

function attemptsWords({ attempts, event }: Attempts): Words {
  const [first] = attempts;
  const last = attempts.at(-1) ?? first;
  const { outcome, finishedAt, said } = last;
  if (outcome === null || finishedAt === null) {
    const title = `Attempt ${last.number}: being sent to WhatsApp now`;
    return { title, tone: "neutral", at: last.at, notes: [], said: null };
  }
  const { words, tone } = OUTCOMES[outcome];
  const count = attempts.length;
  const name = count === 1 ? `Attempt ${first.number}` : `${count} attempts`;
  const reason = outcome === "accepted" ? null : reasonIn(said);
  const tookMs = new Date(finishedAt).getTime() - new Date(last.at).getTime();
  return {
    title: `${name}: ${words}${reason === null ? "" : ` (${reason})`}`,
    tone,
    at: first.at,
    said,
    notes: [
      ...(event === undefined ? [] : [eventNote(event)]),
      count === 1 ? (
        `Took ${duration(tookMs)}`
      ) : (
        <>
          Latest: attempt {last.number}, <Time at={last.at} />
        </>
      ),
    ].filter((note) => note !== null),
  };
}

/** WhatsApp's own title of its code, or why there was no response; null if neither is known. */
function reasonIn({ title, httpStatus, words }: Said): string | null {
  if (title !== null) return title;
  // Transport errors end with their code in brackets.
  if (httpStatus === null) return words?.replace(/ \(\w+\)$/, "") ?? null;
  return `HTTP ${httpStatus}`;
}

/** The results of an attempt, by its response. */
function eventNote(event: NonNullable<Attempts["event"]>): ReactNode {
  switch (event.kind) {
    case "retry":
      return event.nextAttemptAt === null ? null : <Note before="Next attempt" at={event.nextAttemptAt} />;
    case "uncertain":
      return event.waitsUntil === null ? null : (
        <Note before="Waiting for confirmation until" at={event.waitsUntil} />
      );
    case "sent":
    case "delivered":
    case "read":
    case "failed":
      return `State: ${[event.kind, ...(event.errorCode === null ? [] : [event.errorCode])].join(", ")}`;
  }
}

function entryWords(entry: Exclude<Entry, { kind: "attempt" }>): Words {
  switch (entry.kind) {
    case "accepted":
      return { title: "Accepted", tone: "neutral", at: entry.at, notes: [], said: null };
    case "erased":
      return { title: "Text and number erased", tone: "neutral", at: entry.at, notes: [], said: null };
    case "retry":
      return { title: "Waiting for retry", tone: "warn", ...factsOf(entry) };
    case "uncertain":
      return { title: "Waiting for confirmation", tone: "warn", ...factsOf(entry) };
    case "sent":
    case "delivered":
    case "read":
    case "failed":
      return stateWords(entry);
  }
}

/** The facts of an event whose attempt isn't listed any more. */
function factsOf(entry: Extract<Entry, { kind: "retry" | "uncertain" }>) {
  const note = eventNote(entry);
  return { at: entry.at, notes: note === null ? [] : [note], said: entry.said };
}

function stateWords(entry: Extract<Entry, { source: string }>): Words {
  const { words, tone } = STATES[entry.kind];
  const notes = [
    entry.isInferred ? "inferred from “read”" : LEARNT[entry.source],
    ...(entry.errorCode === null ? [] : [entry.errorCode]),
    ...(entry.isNews ? [] : ["no change"]),
  ];
  return {
    title: words,
    tone: entry.isNews ? tone : "neutral",
    at: entry.at,
    notes: [notes.join(" · ")],
    said: entry.said,
  };
}

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Shows the time of day and the offset from the start. The full time shows on hover and is read by screen readers. */
function Clock({ at, start }: { at: Date; start: Date }) {
  const offsetMs = at.getTime() - start.getTime();
  const isOtherDay = day.format(at) !== day.format(start);
  return (
    <Tooltip label={exactTime(at)} events={{ hover: true, focus: false, touch: true }} withArrow>
      <time dateTime={at.toISOString()} className={styles.clock}>
        <span aria-hidden>
          {offsetMs <= 0 ? null : <span className={styles.offset}>+{duration(offsetMs)}</span>}
          {isOtherDay ? `${day.format(at)}, ` : null}
          {time.format(at)}
        </span>
        <VisuallyHidden>
          {exactTime(at)}
          {offsetMs <= 0 ? null : `, ${duration(offsetMs)} after it was accepted`}
        </VisuallyHidden>
      </time>
    </Tooltip>
  );
}

function Note({ before, at }: { before: string; at: string | Date }) {
  return (
    <>
      {before} <Time at={at} />
    </>
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
