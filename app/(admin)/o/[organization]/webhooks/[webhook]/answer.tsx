import { Text } from "@mantine/core";
import styles from "./answer.module.css";

/** Longer ones are shown when they are asked for. */
const SHOWN_MAX = 200;

/** What the endpoint answered, as far as it is kept. */
export function Answer({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  const whole = <pre className={styles.answer}>{text}</pre>;
  if (text.length <= SHOWN_MAX) {
    return (
      <div>
        <Text size="sm">It answered:</Text>
        {whole}
      </div>
    );
  }
  return (
    <details className={styles.long}>
      <summary>What it answered</summary>
      {whole}
    </details>
  );
}
