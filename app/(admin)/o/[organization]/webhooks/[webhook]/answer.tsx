import { Stack, Text } from "@mantine/core";
import { Verbatim } from "../parts";
import styles from "./answer.module.css";

/** Longer responses are shown on request. */
const SHOWN_MAX = 200;

/** The endpoint's response, as far as it was stored. */
export function Answer({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  if (text.length <= SHOWN_MAX) {
    return (
      <Stack gap={4}>
        <Text size="sm">Response:</Text>
        <Verbatim>{text}</Verbatim>
      </Stack>
    );
  }
  return (
    <details className={styles.long}>
      <summary>Show response</summary>
      <Verbatim>{text}</Verbatim>
    </details>
  );
}
