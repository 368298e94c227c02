import { ActionIcon, CloseButton, Menu, Textarea } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconPlus, IconSend } from "@/app/ui/icons";
import { Fault } from "@/app/ui/query-state";
import { useAction, useActionWith } from "@/app/ui/use-action";
import { withoutPrefix } from "@/app/ui/format";
import { HERE } from "./bubble-parts";
import { Quote } from "./message";
import styles from "./phone.module.css";
import { type PhoneMessage, type PhoneView, useCustomerAction } from "./use-phone";

const TEXT_LENGTH_MAX = 4096;

type DemoFile = PhoneView["camera_roll"][number];

/** Writes as the customer: a text, with a quote if one is chosen, or something of the phone. */
export function Composer({
  files,
  quoted,
  onQuote,
}: {
  files: readonly DemoFile[];
  quoted: PhoneMessage | null;
  onQuote: (message: PhoneMessage | null) => void;
}) {
  const [text, setText] = useState("");
  const perform = useCustomerAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const act = useAction(async () => {
    if (text.trim() === "") return;
    await perform({ kind: "text", body: text, quotes: quoted?.id ?? null });
    setText((current) => withoutPrefix(current, text));
    onQuote(null);
  });
  return (
    <div className={styles.composer}>
      <Fault of={act.faultBeside()} />
      {quoted === null ? null : (
        <div className={styles.quoting}>
          <Quote of={quoted} />
          <CloseButton size="sm" aria-label="Don’t quote" onClick={() => onQuote(null)} />
        </div>
      )}
      <form onSubmit={act.onSubmit} className={styles.writing}>
        <Attach files={files} />
        <Textarea
          ref={field}
          className={styles.field}
          aria-label="Message as the customer"
          placeholder="Message"
          autosize
          minRows={1}
          maxRows={5}
          maxLength={TEXT_LENGTH_MAX}
          dir="auto"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={sendOnEnter}
        />
        <ActionIcon type="submit" size="lg" radius="xl" aria-label="Send" loading={act.isBusy}>
          <IconSend size={18} aria-hidden />
        </ActionIcon>
      </form>
    </div>
  );
}

/** Enter sends, and Shift with Enter begins a line. Enter that ends the composition of a character does neither. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The camera roll, the place where the phone is, and a contact. */
function Attach({ files }: { files: readonly DemoFile[] }) {
  const act = useActionWith(useCustomerAction());
  return (
    <>
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            radius="xl"
            aria-label="Attach"
            loading={act.isBusy}
          >
            <IconPlus size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Camera roll</Menu.Label>
          {files.map(({ name, type, title, mime_type: mimeType, filename }) => (
            <Menu.Item
              key={name}
              onClick={() =>
                act.run({ kind: "file", name, type, mimeType, ...(filename !== undefined && { filename }) })
              }
            >
              {title}
            </Menu.Item>
          ))}
          <Menu.Label>More</Menu.Label>
          <Menu.Item onClick={() => act.run({ kind: "location", ...HERE })}>Location</Menu.Item>
          <Menu.Item
            onClick={() => act.run({ kind: "contact", name: "Ada Lovelace", number: "+49 30 1234567" })}
          >
            Contact card
          </Menu.Item>
          <Menu.Item onClick={() => act.run({ kind: "text", body: "STOP" })}>Write STOP</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Fault of={act.faultBeside()} />
    </>
  );
}
