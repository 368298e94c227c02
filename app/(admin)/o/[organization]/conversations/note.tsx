import { Text } from "@mantine/core";
import { ClockTime } from "@/app/ui/time";
import styles from "./bubble.module.css";
import type { NoteEntry } from "./types";
import { elementIdOf } from "./use-jump";

/** A note of a member, in a colour of its own: the customer never sees it. */
export function Note({ entry: { id, at, author, body } }: { entry: NoteEntry }) {
  return (
    <li id={elementIdOf(id)} className={styles.entry} data-side="middle">
      <div className={styles.note}>
        <Text size="sm" fw={600}>
          Internal note by {author?.name ?? "a member"}
        </Text>
        <p className={styles.text} dir="auto">
          {body ?? "Erased"}
        </p>
        <div className={styles.meta}>
          <ClockTime at={at} />
        </div>
      </div>
    </li>
  );
}
