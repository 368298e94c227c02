import { Button, Group, Kbd, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { IconSend } from "@/app/ui/icons";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { Fault } from "@/app/ui/query-state";
import { useNow } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { contentOf, TemplateFields, useApprovedTemplates } from "../test-message/test-content";
import { AttachButton, Attached } from "./attached";
import styles from "./composer.module.css";
import { Quoted, Why } from "./composer-parts";
import type { Conversation, MessageEntry } from "./types";
import { type Draft, type Mode, useDraft } from "./use-draft";
import { useAttachment } from "./use-attachment";
import { mayHaveCaption } from "./words";

/** Characters. */
const LENGTH_MAX = 4096;
const CAPTION_LENGTH_MAX = 1024;
/** With fewer characters left, the box says how many there are. */
const LEFT_SHOWN = 300;

interface Props {
  readonly conversation: Conversation;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly quoted: MessageEntry | null;
  readonly onUnquote: () => void;
}

/** The box for an answer or an internal note. It says what can be sent now, and why. */
export function Composer(props: Props) {
  const { conversation, box, quoted, onUnquote } = props;
  const isOpen = useIsWindowOpen(conversation);
  const { draft, set, reset } = useDraft(conversation.id);
  const canSend = !conversation.customer.isErased && !conversation.channel.isDisabled;
  const mode = modeOf(draft, { isOpen, canSend });
  const templates = useApprovedTemplates(conversation.channel.id);
  const send = useSend({ ...props, mode, draft, templates, reset });
  const change = (part: Partial<Draft>) => {
    set(part);
    send.renew();
  };
  const upload = useAttachment({ onUploaded: (file) => change({ attachment: file }) });
  const field = mode === "note" ? "note" : "body";
  const attachment = mode === "text" ? draft.attachment : null;
  const isCaptioned = attachment === null || mayHaveCaption(attachment.type);
  const length = isCaptioned ? [...draft[field]].length : 0;
  const lengthMax = attachment === null ? LENGTH_MAX : CAPTION_LENGTH_MAX;
  const isWritten =
    mode === "template" ? draft.templateId !== "" : attachment !== null || draft[field].trim() !== "";
  const isUploading = mode === "text" && upload.uploading !== null;
  const isFit = isWritten && (mode === "template" || length <= lengthMax) && !isUploading;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
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
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="What to write"
            data={[
              { value: "text", label: "Text", disabled: !isOpen || !canSend },
              { value: "template", label: "Template", disabled: !canSend },
              { value: "note", label: "Internal note" },
            ]}
            value={mode}
            onChange={(value) => change({ mode: value })}
          />
          <Why conversation={conversation} mode={mode} isOpen={isOpen} />
        </Group>
        {quoted === null || mode === "note" ? null : (
          <Quoted of={quoted} conversation={conversation} onUnquote={onUnquote} />
        )}
        {mode === "template" ? (
          <div className={styles.template}>
            <Stack gap="xs">
              <TemplateFields
                value={{ type: "template", ...draft }}
                templates={templates}
                faultAt={(name) => send.faultAt(`content.${name}`)}
                onChange={change}
              />
            </Stack>
          </div>
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
      </Stack>
    </form>
  );
}

/** By the server's clock: a window that ends while the page is open closes the box, too. */
function useIsWindowOpen({ thread }: Conversation): boolean {
  const now = useNow();
  const { expires_at: until } = thread.window;
  return until !== null && new Date(until).getTime() > now;
}

function placeholderOf(
  mode: Mode,
  { isCaptioned, isAttached }: { isCaptioned: boolean; isAttached: boolean },
): string {
  if (mode === "note") return "Only members see this";
  if (!isCaptioned) return "WhatsApp shows no text with this file";
  return isAttached ? "Write a caption, if you like" : "Write an answer";
}

function modeOf({ mode }: Draft, { isOpen, canSend }: { isOpen: boolean; canSend: boolean }): Mode {
  if (!canSend) return "note";
  if (mode === "note" || mode === "template") return mode;
  return isOpen ? "text" : "template";
}

function useSend({
  conversation: { id: threadId },
  box,
  quoted,
  onUnquote,
  mode,
  draft,
  templates,
  reset,
}: Props & {
  readonly mode: Mode;
  readonly draft: Draft;
  readonly templates: ReturnType<typeof useApprovedTemplates>;
  readonly reset: (mode: Mode) => void;
}) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const [idempotencyToken, setIdempotencyToken] = useState(newIdempotencyToken);
  const act = useAction(async () => {
    const common = { threadId, idempotencyToken };
    if (mode === "note") await client.conversations.note.mutate({ ...common, body: draft.note });
    else {
      const content =
        (mode === "text" ? fileIn(draft) : null) ?? contentOf({ type: mode, ...draft }, templates);
      const quote = quoted === null ? {} : { replyTo: quoted.id };
      await client.conversations.answer.mutate({ ...common, content, ...quote });
      onUnquote();
    }
    reset(mode);
    setIdempotencyToken(newIdempotencyToken());
    // Once the box is enabled again.
    setTimeout(() => box.current?.focus());
    await refetch(trpc.conversations.timeline.pathFilter(), trpc.conversations.list.pathFilter());
  });
  return {
    ...act,
    // Changed input is a new message. Unchanged input is the same one, even if the response was lost.
    renew: () => {
      setIdempotencyToken(newIdempotencyToken());
      act.forget();
    },
  };
}

/** The content of an answer with the attached file; null without one. */
function fileIn({ attachment, body }: Draft) {
  if (attachment === null) return null;
  const { type, storageKey, name } = attachment;
  const caption = mayHaveCaption(type) && body.trim() !== "" ? { caption: body } : {};
  return { type, storageKey, ...(type === "document" ? { filename: name } : {}), ...caption };
}
