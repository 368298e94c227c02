import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./bubble.module.css";
import { MessageFile } from "./message-file";
import { type Said, saidIn } from "./said";
import type { MessageEntry } from "./types";
import { isEmojiOnly, typeWords } from "./words";

/** The content of a message, as the customer sees it. */
export function BubbleContent({ entry }: { entry: MessageEntry }) {
  const { message, template, aftermath } = entry;
  if (message.content === null) return <p className={styles.remark}>The content was erased.</p>;
  if (template !== null) return <TemplateParts of={template} />;
  if (message.type === "template") return <TemplateName of={message.content} />;
  const said = saidIn(message.type, { ...message.content });
  const edited = aftermath.edit?.body ?? null;
  return (
    <>
      <Content of={said} entry={entry} />
      {edited === null ? null : (
        <p className={styles.text} dir="auto">
          <span className={styles.small}>Changed to:</span>
          {edited}
        </p>
      )}
    </>
  );
}

function TemplateName({ of }: { of: object }) {
  const { template }: { template?: { name?: string } } = of;
  return <p className={styles.remark}>Template {template?.name ?? ""}</p>;
}

function TemplateParts({ of: { parts, name, isChanged } }: { of: NonNullable<MessageEntry["template"]> }) {
  return (
    <>
      {parts.map(({ label, text }) => (
        <p
          key={label}
          className={styles.text}
          dir="auto"
          style={{ fontWeight: label === "Header" ? 600 : undefined }}
          data-part={label}
        >
          {text}
        </p>
      ))}
      <Text size="xs" mt={2}>
        Template {name}
        {isChanged ? ". It was updated since: the customer may have seen a different text." : ""}
      </Text>
    </>
  );
}

function Content({ of: said, entry }: { of: Said; entry: MessageEntry }): ReactNode {
  switch (said.kind) {
    case "text":
      return (
        <p className={isEmojiOnly(said.text) ? styles.emoji : styles.text} dir="auto">
          {said.text}
        </p>
      );
    case "file":
      return (
        <>
          <MessageFile entry={entry} type={said.isVoice ? "Voice message" : typeWords(said.type)} />
          <Words of={said.caption} />
        </>
      );
    case "choice":
      return <Choices of={said} />;
    case "location":
      return <Place of={said} />;
    case "cards":
      return said.cards.map(({ name, lines }) => (
        <div key={name + lines.join()} dir="auto">
          <strong>{name}</strong>
          {lines.map((line) => (
            <span key={line} className={styles.small}>
              {line}
            </span>
          ))}
        </div>
      ));
    case "order":
      return (
        <>
          <Words of={said.text} />
          <ul className={styles.choices}>
            {said.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </>
      );
    case "form":
      return (
        <>
          <strong>Form{said.name === null ? "" : ` ${said.name}`}</strong>
          <Words of={said.response} />
        </>
      );
    case "remark":
      return <p className={styles.remark}>{said.text}</p>;
  }
}

/** A text that may be missing. */
function Words({ of }: { of: string | null }) {
  if (of === null) return null;
  return (
    <p className={styles.text} dir="auto">
      {of}
    </p>
  );
}

function Choices({ of: { header, body, footer, choices } }: { of: Extract<Said, { kind: "choice" }> }) {
  return (
    <>
      {header === null ? null : (
        <p dir="auto">
          <strong>{header}</strong>
        </p>
      )}
      <Words of={body} />
      {footer === null ? null : (
        <span className={styles.small} dir="auto">
          {footer}
        </span>
      )}
      <ul className={styles.choices} aria-label="Choices">
        {choices.map(({ title, description }) => (
          <li key={title} dir="auto">
            {title}
            {description === null ? null : <span className={styles.small}>{description}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Place({ of: { latitude, longitude, name, address } }: { of: Extract<Said, { kind: "location" }> }) {
  const place = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) }).toString();
  return (
    <div dir="auto">
      {name === null ? null : <strong>{name}</strong>}
      {address === null ? null : <span className={styles.small}>{address}</span>}
      <Anchor
        inherit
        underline="always"
        href={`https://www.openstreetmap.org/?${place}`}
        target="_blank"
        rel="noreferrer"
      >
        {latitude}, {longitude}
      </Anchor>
    </div>
  );
}
