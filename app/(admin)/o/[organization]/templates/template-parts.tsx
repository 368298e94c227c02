import { Fragment } from "react";
import { Tag, type Tone } from "@/app/ui/tag";
import styles from "./template.module.css";
import type { Piece, Template } from "./types";

const TONES = {
  approved: "good",
  pending: "info",
  rejected: "bad",
  paused: "warn",
  disabled: "neutral",
} as const satisfies Record<Template["state"], Tone>;

export function TemplateStateTag({ state }: { state: Template["state"] }) {
  return <Tag tone={TONES[state]}>{state}</Tag>;
}

/** A template's text with highlighted placeholders. */
export function TemplateText({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isVariable }, place) =>
    isVariable ? (
      <mark key={place} className={styles.variable}>
        {text}
      </mark>
    ) : (
      <Fragment key={place}>{text}</Fragment>
    ),
  );
}
