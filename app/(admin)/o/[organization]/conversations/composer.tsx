import { ActionIcon, Button, Group, Kbd, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { IconSend, IconX } from "@/app/ui/icons";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { Fault } from "@/app/ui/query-state";
import { Time, useNow } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { InlineLink } from "../shared/inline-link";
import { contentOf, TemplateFields, useApprovedTemplates } from "../test-message/test-content";
import bubbleStyles from "./bubble.module.css";
import styles from "./composer.module.css";
import { saidIn } from "./said";
import type { Conversation, MessageEntry } from "./types";
import { type Draft, type Mode, useDraft } from "./use-draft";
import { customerName, typeWords } from "./words";

const LENGTH_MAX = 4096;
/** From here on, the box says how much is left. */
const LENGTH_SHOWN = 3800;

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
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const field = mode === "note" ? "note" : "body";
  const length = [...draft[field]].length;
  const isFit =
    mode === "template" ? draft.templateId !== "" : draft[field].trim() !== "" && length <= LENGTH_MAX;
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
            placeholder={mode === "note" ? "Only members see this" : "Write an answer"}
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
        <Fault of={send.faultBeside("content", "body")} />
        <Group justify="space-between" gap="xs">
          <Text
            size="xs"
            c={length > LENGTH_MAX ? "var(--mantine-color-error)" : "dimmed"}
            aria-live="polite"
          >
            {mode !== "template" && length >= LENGTH_SHOWN ? (
              `${length.toLocaleString("en")} of ${LENGTH_MAX.toLocaleString("en")} characters`
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

function modeOf({ mode }: Draft, { isOpen, canSend }: { isOpen: boolean; canSend: boolean }): Mode {
  if (!canSend) return "note";
  if (mode === "note" || mode === "template") return mode;
  return isOpen ? "text" : "template";
}

/** Says what can be sent, and why. */
function Why({ conversation, mode, isOpen }: { conversation: Conversation; mode: Mode; isOpen: boolean }) {
  const { customer, channel, continuedIn, isWindowAssumed, isWindowDenied } = conversation;
  const { expires_at: until } = conversation.thread.window;
  if (customer.isErased) return <Reason>The customer was erased, so nothing can be sent.</Reason>;
  if (channel.isDisabled) return <Reason>The channel is disabled, so nothing can be sent.</Reason>;
  if (mode === "note") return <Reason>Only members see a note. It is never sent.</Reason>;
  return (
    <Reason>
      {isOpen && until !== null ? (
        <>
          Any message can be sent: the window is open and ends <Time at={until} />.
          {isWindowAssumed ? " It is assumed, because the number was already in use." : ""}
        </>
      ) : isWindowDenied ? (
        "WhatsApp reports that the window is closed. Only approved templates can be sent."
      ) : (
        "The customer hasn’t written in the last 24 hours. Only approved templates can be sent."
      )}
      {channel.isPaused ? " The channel is paused: messages wait until it works again." : ""}
      {continuedIn === null ? null : (
        <>
          {" "}
          New messages go to{" "}
          <InlineLink to={`/conversations/${continuedIn}`}>this person’s other conversation</InlineLink>.
        </>
      )}
    </Reason>
  );
}

function Reason({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed" component="p" className={styles.why}>
      {children}
    </Text>
  );
}

function Quoted({
  of: { message, template },
  conversation: { customer },
  onUnquote,
}: {
  of: MessageEntry;
  conversation: Conversation;
  onUnquote: () => void;
}) {
  const said = message.content === null ? null : saidIn(message.type, { ...message.content });
  const words = said?.kind === "text" ? said.text : (template?.name ?? typeWords(message.type));
  return (
    <Group gap="xs" wrap="nowrap">
      <div className={bubbleStyles.quote} style={{ marginBottom: 0 }}>
        <span className={bubbleStyles.quoteOf}>
          Reply to {message.direction === "inbound" ? customerName(customer) : "your message"}
        </span>
        <span className={bubbleStyles.quoteWords} dir="auto">
          {words}
        </span>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label="Don’t quote" onClick={onUnquote}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
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
      const content = contentOf({ type: mode, ...draft }, templates);
      const quote = quoted === null ? {} : { replyTo: quoted.id };
      await client.conversations.answer.mutate({ ...common, content, ...quote });
      onUnquote();
    }
    reset(mode);
    setIdempotencyToken(newIdempotencyToken());
    box.current?.focus();
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
