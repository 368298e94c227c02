import { Fragment } from "react";
import styles from "./template.module.css";
import type { Piece } from "./types";

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
