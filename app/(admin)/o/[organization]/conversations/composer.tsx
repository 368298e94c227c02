import { Button, Group, Kbd, SegmentedControl, Text, Textarea } from "@mantine/core";
import type { KeyboardEvent, RefObject } from "react";
import { IconSend } from "@/app/ui/icons";
import { Fault } from "@/app/ui/query-state";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { chosenOf, contentOf, useApprovedTemplates } from "../test-message/test-content";
import { TemplateFields } from "../test-message/template-fields";
import { AttachButton, Attached } from "./attachment";
import styles from "./composer.module.css";
import { QuotePreview } from "./quote";
import { SendingNotices } from "./sending-notices";
import type { Conversation } from "./types";
import { useAttachment } from "./use-attachment";
import { type Draft, type Drafting, isTyped, type Mode } from "./use-draft";
import { useTypingIndicator } from "./use-receipts";
import { type OpenModes, useOpenModes } from "./use-open-modes";
import { WindowNotice } from "./window-notice";
import { mayHaveCaption } from "./words";

/** Characters. */
const LENGTH_MAX = 4096;
const CAPTION_LENGTH_MAX = 1024;
/** With fewer characters left, the box says how many there are. */
const LEFT_SHOWN = 300;

interface Props {
  readonly conversation: Conversation;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly drafting: Drafting;
}

/** The box for an answer or an internal note. It says what can be sent now, and why. */
export function Composer(props: Props) {
  const { conversation, box, drafting } = props;
  const { draft } = drafting;
  const open = useOpenModes(conversation);
  const mode = modeOf(draft, open);
  const templates = useApprovedTemplates(conversation.channel.id);
  const upload = useAttachment({ onUploaded: (attachment) => drafting.set({ attachment }) });
  const typing = useTypingIndicator(conversation);
  const onSent = () => {
    upload.forget();
    if (mode !== "note") typing.end();
  };
  const send = useSend({ ...props, mode, templates, onSent });
  const change = (part: Partial<Draft>) => {
    drafting.set(part);
    if (part.body !== undefined && part.body.trim() !== "") typing.show();
    send.forget();
    upload.forget();
  };
  const field = mode === "note" ? "note" : "body";
  const attachment = mode === "text" ? draft.attachment : null;
  const isCaptioned = attachment === null || mayHaveCaption(attachment.type);
  const length = isCaptioned ? [...draft[field]].length : 0;
  const lengthMax = attachment === null ? LENGTH_MAX : CAPTION_LENGTH_MAX;
  const isWritten =
    mode === "template" ? draft.templateId !== "" : attachment !== null || draft[field].trim() !== "";
  const isUploading = mode === "text" && upload.uploading !== null;
  const isFit = open[mode] && isWritten && (mode === "template" || length <= lengthMax) && !isUploading;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape" && draft.quoted !== null) change({ quoted: null });
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (isFit) event.currentTarget.form?.requestSubmit();
  };
  return (
    <form
      className={styles.composer}
      data-mode={mode}
      onSubmit={send.onSubmit}
      noValidate
      aria-label="Answer"
    >
      <div className={styles.fields}>
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="What to write"
            data={[
              { value: "text", label: "Text", disabled: !open.text && !isTyped(draft) },
              { value: "template", label: "Template", disabled: !open.template && mode !== "template" },
              { value: "note", label: "Internal note" },
            ]}
            value={mode}
            onChange={(value) => change({ mode: value })}
          />
          <WindowNotice conversation={conversation} mode={mode} isOpen={open.window} />
        </Group>
        <SendingNotices
          conversation={conversation}
          mode={mode}
          isMarketing={mode === "template" && chosenOf(templates, draft.templateId)?.category === "marketing"}
        />
        {draft.quoted === null || mode === "note" ? null : (
          <QuotePreview of={draft.quoted} onRemove={() => change({ quoted: null })} />
        )}
        {mode === "template" ? (
          <TemplateFields
            value={draft}
            templates={templates}
            faultAt={(name) => send.faultAt(`content.${name}`)}
            onChange={change}
          />
        ) : (
          <Textarea
            ref={box}
            aria-label={mode === "note" ? "Internal note" : "Message text"}
            placeholder={placeholderOf(mode, { isCaptioned, isAttached: attachment !== null })}
            disabled={!isCaptioned}
            autosize
            minRows={2}
            maxRows={8}
            dir="auto"
            value={draft[field]}
            error={send.faultAt(mode === "note" ? "body" : "content.body")}
            onKeyDown={onKeyDown}
            onChange={({ currentTarget: { value } }) => change({ [field]: value })}
          />
        )}
        {mode === "text" ? (
          <Attached
            upload={upload}
            attachment={attachment}
            fault={send.faultAt("content.storageKey") ?? send.faultAt("content.filename")}
            onRemove={() => {
              change({ attachment: null });
              // Once the box is enabled again.
              setTimeout(() => box.current?.focus());
            }}
          />
        ) : null}
        <Fault of={send.faultBeside("content", "body")} />
      </div>
      <Group justify="space-between" gap="xs">
        {mode === "text" ? (
          <AttachButton isDisabled={attachment !== null || isUploading} onChoose={upload.choose} />
        ) : null}
        <Text
          size="xs"
          flex={1}
          c={length > lengthMax ? "var(--mantine-color-error)" : "dimmed"}
          aria-live="polite"
        >
          {mode !== "template" && length >= lengthMax - LEFT_SHOWN ? (
            `${length.toLocaleString("en")} of ${lengthMax.toLocaleString("en")} characters`
          ) : mode === "template" ? null : (
            <span className={styles.hint}>
              <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> sends
            </span>
          )}
        </Text>
        <Button
          type="submit"
          size="sm"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={send.isBusy}
          disabled={!isFit}
        >
          {mode === "note" ? "Add note" : "Send"}
        </Button>
      </Group>
    </form>
  );
}

function placeholderOf(
  mode: Mode,
  { isCaptioned, isAttached }: { isCaptioned: boolean; isAttached: boolean },
): string {
  if (mode === "note") return "Only members see this";
  if (!isCaptioned) return "WhatsApp shows no text with this file";
  return isAttached ? "Write a caption, if you like" : "Write an answer";
}

/** Returns the mode of the box. A typed text stays in view, even if it can't be sent any more. */
function modeOf(draft: Draft, open: OpenModes): Mode {
  const { mode, templateId } = draft;
  if (mode === "note") return mode;
  if (mode !== "template" && (open.text || isTyped(draft))) return "text";
  return open.template || (mode === "template" && templateId !== "") ? "template" : "note";
}

function useSend({
  conversation: { id: threadId },
  box,
  drafting: { draft, sendOnce, empty },
  mode,
  templates,
  onSent,
}: Props & {
  readonly mode: Mode;
  readonly templates: ReturnType<typeof useApprovedTemplates>;
  readonly onSent: () => void;
}) {
  const trpc = useTRPC();
  const { conversations } = useTRPCClient();
  const refetch = useRefetch();
  return useAction(async () => {
    if (mode === "note") {
      const note = { threadId, body: draft.note };
      await sendOnce({ mode, ...note }, (idempotencyToken) =>
        conversations.note.mutate({ ...note, idempotencyToken }),
      );
    } else {
      const content =
        (mode === "text" ? fileIn(draft) : null) ?? contentOf({ type: mode, ...draft }, templates);
      const answer = {
        threadId,
        content,
        ...(draft.quoted === null ? {} : { replyTo: draft.quoted.id }),
      };
      await sendOnce({ mode, ...answer }, (idempotencyToken) =>
        conversations.answer.mutate({ ...answer, idempotencyToken }),
      );
    }
    empty(mode, draft);
    onSent();
    // Emptying the draft may enable the box.
    setTimeout(() => box.current?.focus());
    void refetch(trpc.conversations.timeline.pathFilter(), trpc.conversations.list.pathFilter());
  });
}

/** The content of an answer with the attached file; null without one. */
function fileIn({ attachment, body }: Draft) {
  if (attachment === null) return null;
  const { type, storageKey, name } = attachment;
  const caption = mayHaveCaption(type) && body.trim() !== "" ? { caption: body } : {};
  return { type, storageKey, ...(type === "document" ? { filename: name } : {}), ...caption };
}
