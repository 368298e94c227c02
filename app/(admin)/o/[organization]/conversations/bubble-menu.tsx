import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowBackUp, IconDots, IconWebhook, IconX } from "@/app/ui/icons";
import { EMOJI } from "../shared/emoji";
import styles from "./bubble.module.css";
import type { MessageEntry } from "./types";

/** The menu of actions on a message. */
export function BubbleMenu({
  entry: { aftermath, webhooks, message },
  line,
  onReply,
  onReact,
  onDetails,
}: {
  entry: MessageEntry;
  /** The message in one line, for the name of its menu. */
  line: string;
  onReply: (() => void) | null;
  onReact: ((emoji: string) => void) | null;
  onDetails: () => void;
}) {
  const own = aftermath.reactions.find(({ by }) => by === "us");
  const mayReact = onReact !== null && message.delivery_state !== "failed";
  const mayReply = onReply !== null && message.delivery_state !== "failed";
  return (
    <Menu position="bottom" width={220}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={styles.actions}
          aria-label={`Message actions: ${line}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayReply ? (
          <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={onReply}>
            Reply with a quote
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconWebhook size={16} aria-hidden />} onClick={onDetails}>
          {webhooks.total === 0 ? "Details" : `Details and webhook events (${webhooks.total})`}
        </Menu.Item>
        {mayReact ? (
          <>
            <Menu.Divider />
            {EMOJI.map(([emoji, name]) => (
              <Menu.Item
                key={emoji}
                display="inline-block"
                w="auto"
                px={7}
                fz="lg"
                aria-label={`React: ${name}`}
                onClick={() => onReact(emoji)}
              >
                {emoji}
              </Menu.Item>
            ))}
            {own === undefined ? null : (
              <Menu.Item leftSection={<IconX size={16} aria-hidden />} onClick={() => onReact("")}>
                Take back {own.emoji}
              </Menu.Item>
            )}
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
