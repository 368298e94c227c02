import { Anchor, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { IconList } from "@/app/ui/icons";
import { Media } from "./media";
import styles from "./phone.module.css";
import type { CustomerAction, Bubble, PhoneMessage } from "./use-phone";

interface PartsProps {
  readonly message: PhoneMessage;
  /** Null if the viewer may not act. */
  readonly onAct: ((act: CustomerAction) => void) | null;
}

/** Shows the content of a message, whatever its type: only the parts that it has. */
export function BubbleParts({ bubble, ...props }: PartsProps & { bubble: Bubble }) {
  const { header, media, text, footer, location, contacts, cards } = bubble;
  const isEmpty = Object.keys(bubble).length === 0;
  return (
    <>
      {header === undefined ? null : (
        <p className={styles.header} dir="auto">
          {header}
        </p>
      )}
      {media === undefined ? null : <Media of={media} />}
      {location === undefined ? null : <Location of={location} />}
      {contacts?.map(({ name, phones }, place) => (
        <p key={place} className={styles.card} dir="auto">
          <strong>{name}</strong>
          <br />
          {phones.join(", ")}
        </p>
      ))}
      {text === undefined ? null : (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {footer === undefined ? null : (
        <p className={styles.footer} dir="auto">
          {footer}
        </p>
      )}
      {isEmpty ? (
        <p className={styles.footer}>This phone can’t show a message of the type {props.message.type}.</p>
      ) : null}
      {cards?.map((card, place) => (
        <div key={place} className={styles.card}>
          <BubbleParts bubble={card} {...props} />
          <BubbleActions bubble={card} {...props} />
        </div>
      ))}
    </>
  );
}

/** Shows the buttons of a message below its time, as WhatsApp does. */
export function BubbleActions({ bubble: { list, buttons }, ...props }: PartsProps & { bubble: Bubble }) {
  return (
    <>
      {list === undefined ? null : <ListChoice of={list} {...props} />}
      {buttons?.map((button, place) => (
        <ButtonOf key={place} button={button} {...props} />
      ))}
    </>
  );
}

function Location({ of: { name, address, latitude, longitude } }: { of: NonNullable<Bubble["location"]> }) {
  return (
    <p className={styles.card} dir="auto">
      <span aria-hidden>📍 </span>
      <strong>{name ?? "Location"}</strong>
      {address === undefined ? null : (
        <>
          <br />
          {address}
        </>
      )}
      <br />
      {latitude.toFixed(5)}, {longitude.toFixed(5)}
    </p>
  );
}

type ShownButton = NonNullable<Bubble["buttons"]>[number];

/** The location that the phone has. */
export const HERE = { latitude: 52.51628, longitude: 13.37771, name: "Brandenburger Tor" } as const;

/** A button of a template or an interactive message. Those that only open something say what. */
function ButtonOf({ button, message, onAct }: PartsProps & { button: ShownButton }) {
  const { kind, title, answer, id: value = title } = button;
  const wamid = message.id;
  if (kind === "reply" && answer !== undefined) {
    const press = () => onAct?.({ kind: "press", wamid, answer, value, title });
    return <Press title={title} onClick={onAct === null ? null : press} />;
  }
  if (kind === "location") {
    const press = () => onAct?.({ kind: "location", ...HERE, quotes: wamid });
    return <Press title={title} onClick={onAct === null ? null : press} />;
  }
  if (kind === "url" && /^https?:\/\//.test(button.value ?? "")) {
    return (
      <Anchor
        className={styles.action}
        href={button.value}
        target="_blank"
        rel="noreferrer noopener"
        dir="auto"
      >
        {title}
      </Anchor>
    );
  }
  return (
    <p className={styles.action} dir="auto">
      {title}
      {button.value === undefined ? null : <span className={styles.footer}> {button.value}</span>}
    </p>
  );
}

function Press({ title, icon, onClick }: { title: string; icon?: ReactNode; onClick: (() => void) | null }) {
  return (
    <UnstyledButton
      className={styles.action}
      disabled={onClick === null}
      onClick={onClick ?? undefined}
      dir="auto"
    >
      {icon}
      {title}
    </UnstyledButton>
  );
}

/** Opens the rows of a list message, of which the customer chooses one. */
function ListChoice({
  of: { button, sections },
  message,
  onAct,
}: PartsProps & { of: NonNullable<Bubble["list"]> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Press title={button} icon={<IconList size={16} aria-hidden />} onClick={() => setIsOpen(true)} />
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={button} size="md">
        {sections.map(({ title, rows }, place) => (
          <section key={place} aria-label={title ?? button}>
            {title === undefined ? null : <p className={styles.header}>{title}</p>}
            {rows.map((row) => (
              <button
                key={row.id}
                type="button"
                className={styles.choice}
                disabled={onAct === null}
                onClick={() => {
                  setIsOpen(false);
                  const { id: value, title: words, description } = row;
                  const chosen = { kind: "press", wamid: message.id, answer: "list_reply", value } as const;
                  onAct?.({ ...chosen, title: words, ...(description !== undefined && { description }) });
                }}
              >
                <span>{row.title}</span>
                {row.description === undefined ? null : <small>{row.description}</small>}
              </button>
            ))}
          </section>
        ))}
      </Dialog>
    </>
  );
}
