import type { inferOutput } from "@trpc/tanstack-react-query";
import { Fragment } from "react";
import { Tag, type Tone } from "@/app/ui/tag";
import type { Procedures } from "@/app/ui/trpc";
import styles from "./template.module.css";

export type Template = inferOutput<Procedures["templates"]["search"]>["data"][number];
export type TemplateDetail = inferOutput<Procedures["templates"]["get"]>;
type Piece = TemplateDetail["parts"][number]["pieces"][number];

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
  return pieces.map(({ text, variable }, place) =>
    variable !== null ? (
      <mark key={place} className={styles.variable}>
        {text}
      </mark>
    ) : (
      <Fragment key={place}>{text}</Fragment>
    ),
  );
}
