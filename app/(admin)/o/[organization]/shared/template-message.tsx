import { IconFile } from "@/app/ui/icons";
import { upperFirst } from "@/app/ui/format";
import type { ReactNode } from "react";
import styles from "./template-message.module.css";

/** A part of a template, filled as far as it is known. */
export interface ShownPart {
  readonly label: string;
  readonly kind: "header" | "body" | "footer" | "button";
  readonly card: number | null;
  readonly media: string | null;
  readonly text: ReactNode;
  readonly url: ReactNode;
}

/** A message of a template, as a customer sees it. A file that it has is named and never loaded. */
export function TemplateMessage({ parts }: { parts: readonly ShownPart[] }) {
  const cards = [...new Set(parts.flatMap(({ card }) => card ?? []))];
  return (
    <>
      <Parts of={parts.filter(({ card }) => card === null)} />
      {cards.map((card) => (
        <div key={card} className={styles.card}>
          <Parts of={parts.filter((part) => part.card === card)} />
        </div>
      ))}
    </>
  );
}

function Parts({ of: parts }: { of: readonly ShownPart[] }) {
  const buttons = parts.filter(({ kind }) => kind === "button");
  return (
    <>
      {parts.map((part) => (part.kind === "button" ? null : <Part key={part.label} of={part} />))}
      {buttons.length === 0 ? null : (
        <ul className={styles.buttons} aria-label="Buttons">
          {buttons.map(({ label, text, url }) => (
            <li key={label} dir="auto">
              {text}
              {url === null ? null : <span className={styles.url}>{url}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Part({ of: { kind, media, text, url } }: { of: ShownPart }) {
  if (media === null)
    return (
      <p className={styles[kind]} dir="auto">
        {text}
      </p>
    );
  return (
    <div className={styles.media}>
      <IconFile size={28} stroke={1.4} aria-hidden style={{ flex: "none" }} />
      <div>
        {upperFirst(media)}
        {url === null ? null : <span className={styles.url}>{url}</span>}
      </div>
    </div>
  );
}

/** The bubble of a message that isn't sent yet. */
export function PreviewBubble({ parts }: { parts: readonly ShownPart[] }) {
  return (
    <section aria-label="Preview" className={styles.preview}>
      <div className={styles.bubble}>
        <TemplateMessage parts={parts} />
      </div>
    </section>
  );
}
