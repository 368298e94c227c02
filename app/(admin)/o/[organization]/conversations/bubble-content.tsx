import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { TemplateMessage } from "../shared/template-message";
import { typeWords } from "../shared/type-words";
import styles from "./bubble.module.css";
import { OutsideLink } from "./outside-link";
import { MessageFile } from "./message-file";
import { type MessageContent, readContent } from "./message-content";
import type { MessageEntry } from "./types";
import { isEmojiOnly } from "./words";

/** The content of a message, as the customer sees it. */
export function BubbleContent({ entry }: { entry: MessageEntry }) {
  const { message, template, aftermath } = entry;
  if (message.content === null) return <p className={styles.remark}>The content was erased.</p>;
  if (template !== null) return <TemplateParts of={template} />;
  if (message.type === "template") return <TemplateName of={message.content} />;
  const content = readContent(message.type, { ...message.content });
  const edited = aftermath.edit?.body ?? null;
  return (
    <>
      <Content of={content} entry={entry} />
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
      <TemplateMessage
        parts={parts.map((part) => ({
          ...part,
          url: part.url === null ? null : <OutsideLink to={part.url} />,
        }))}
      />
      <Text size="xs" mt={2}>
        Template {name}
        {isChanged ? ". It was updated since: the customer may have seen a different text." : ""}
      </Text>
    </>
  );
}

function Content({ of: content, entry }: { of: MessageContent; entry: MessageEntry }): ReactNode {
  switch (content.kind) {
    case "text":
      return (
        <p className={isEmojiOnly(content.text) ? styles.emoji : styles.text} dir="auto">
          {content.text}
        </p>
      );
    case "file":
      return (
        <>
          <MessageFile entry={entry} type={content.isVoice ? "Voice message" : typeWords(content.type)} />
          <OptionalText of={content.caption} />
        </>
      );
    case "choice":
      return <Choices of={content} />;
    case "location":
      return <Place of={content} />;
    case "cards":
      return content.cards.map(({ name, lines }, place) => (
        <div key={place} dir="auto">
          <strong>{name}</strong>
          {lines.map((line, row) => (
            <span key={row} className={styles.small}>
              {line}
            </span>
          ))}
        </div>
      ));
    case "order":
      return (
        <>
          <OptionalText of={content.text} />
          <ul className={styles.choices}>
            {content.items.map((item, place) => (
              <li key={place}>{item}</li>
            ))}
          </ul>
        </>
      );
    case "form":
      return (
        <>
          <strong>Form{content.name === null ? "" : ` ${content.name}`}</strong>
          <OptionalText of={content.response} />
        </>
      );
    case "remark":
      return <p className={styles.remark}>{content.text}</p>;
  }
}

/** A text that may be missing. */
function OptionalText({ of }: { of: string | null }) {
  if (of === null) return null;
  return (
    <p className={styles.text} dir="auto">
      {of}
    </p>
  );
}

function Choices({
  of: { header, body, footer, choices },
}: {
  of: Extract<MessageContent, { kind: "choice" }>;
}) {
  return (
    <>
      {header === null ? null : (
        <p dir="auto">
          <strong>{header}</strong>
        </p>
      )}
      <OptionalText of={body} />
      {footer === null ? null : (
        <span className={styles.small} dir="auto">
          {footer}
        </span>
      )}
      <ul className={styles.choices} aria-label="Choices">
        {choices.map(({ title, description }, place) => (
          <li key={place} dir="auto">
            {title}
            {description === null ? null : <span className={styles.small}>{description}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Place({
  of: { latitude, longitude, name, address },
}: {
  of: Extract<MessageContent, { kind: "location" }>;
}) {
  const place = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) }).toString();
  return (
    <div dir="auto">
      {name === null ? null : <strong>{name}</strong>}
      {address === null ? null : <span className={styles.small}>{address}</span>}
      <Anchor
        inherit
        display="block"
        w="fit-content"
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
