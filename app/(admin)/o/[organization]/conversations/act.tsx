import { ClockTime } from "@/app/ui/time";
import styles from "./bubble.module.css";
import type { ActEntry } from "./types";
import { elementIdOf } from "./use-jump";
import { actWords } from "./words";

/** A change of the conversation's state or assignee: a quiet line between the messages. */
export function Act({ entry }: { entry: ActEntry }) {
  return (
    <li id={elementIdOf(entry.id)} className={styles.act}>
      {actWords(entry)} <ClockTime at={entry.at} />
    </li>
  );
}
