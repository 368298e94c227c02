import { Stack, Text } from "@mantine/core";
import { duration } from "@/app/ui/format";
import { Verbatim } from "../parts";
import type { Attempt } from "../types";
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

/** Returns the status and duration of a call: `HTTP 204 after 12 ms`. */
export function outcomeInWords({
  http_status: status,
  duration_ms: ms,
}: Pick<Attempt, "http_status" | "duration_ms">): string {
  const answer = status === null ? "No response" : `HTTP ${status}`;
  return ms === null ? answer : `${answer} after ${duration(ms)}`;
}
