import { VisuallyHidden } from "@mantine/core";
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from "@/app/ui/icons";
import type { MessageState } from "../shared/message-state";
import styles from "./bubble.module.css";

const ICONS = {
  queued: IconClock,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
} as const satisfies Record<MessageState, typeof IconCheck>;

/** A message's state as phones show it. Its name is read by screen readers, and shows on hover. */
export function Ticks({ state, isInDoubt = false }: { state: MessageState; isInDoubt?: boolean }) {
  const Icon = ICONS[state];
  const words = isInDoubt ? "waiting for confirmation" : state;
  return (
    <span className={styles.ticks} data-state={state} title={words}>
      <Icon size={16} stroke={2} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
