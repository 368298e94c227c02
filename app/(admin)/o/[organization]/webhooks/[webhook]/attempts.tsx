import { Stack, Text } from "@mantine/core";
import { count } from "@/app/ui/format";
import type { Tone } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import timeline from "../../shared/timeline.module.css";
import type { Attempt } from "../types";
import { FAILURES, isRunning } from "../words";
import { Answer } from "./answer";
import { outcomeInWords } from "./outcome";

/**
 * Delivery attempts, latest first, because the latest says what to do. If there are very many, only the latest are
 * listed.
 */
export function Attempts({ of: attempts, outOf: total }: { of: readonly Attempt[]; outOf: number }) {
  if (attempts.length === 0) return <Text>No attempts yet.</Text>;
  return (
    <>
      {total > attempts.length ? (
        <Text size="sm">
          Showing the latest {attempts.length} of {count.format(total)} attempts.
        </Text>
      ) : null}
      <ol className={timeline.timeline} reversed>
        {attempts.toReversed().map((attempt, place) => (
          <li key={attempt.number} data-tone={toneOf(attempt)}>
            <OneAttempt of={attempt} isLatest={place === 0} />
          </li>
        ))}
      </ol>
    </>
  );
}

function toneOf(attempt: Attempt): Tone {
  if (isRunning(attempt)) return "neutral";
  return attempt.error_class === null ? "good" : "bad";
}

function OneAttempt({ of: attempt, isLatest }: { of: Attempt; isLatest: boolean }) {
  const failure = attempt.error_class === null ? null : FAILURES[attempt.error_class];
  return (
    <Stack gap={2}>
      <Text fw={550}>
        Attempt {attempt.number}: {isRunning(attempt) ? "in progress" : outcomeInWords(attempt)}
      </Text>
      <Text c="dimmed" fz="0.8125rem">
        <Time at={attempt.started_at} isExact />
      </Text>
      {failure === null ? null : <Text size="sm">{failure.why}.</Text>}
      {failure !== null && isLatest ? <Text size="sm">{failure.remedy}</Text> : null}
      <Answer text={attempt.answer} />
    </Stack>
  );
}
