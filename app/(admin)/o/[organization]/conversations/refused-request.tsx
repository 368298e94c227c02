import { Text } from "@mantine/core";
import { Words } from "@/app/ui/words";
import { ClockTime } from "@/app/ui/time";
import { InlineLink } from "../shared/inline-link";
import styles from "./bubble.module.css";
import type { RefusedEntry } from "./types";
import { elementIdOf } from "./use-jump";

/** A request that was refused instead of becoming a message. */
export function RefusedRequest({
  entry: { id, at, request },
  threadId,
}: {
  entry: RefusedEntry;
  threadId: string;
}) {
  const { explanation, key, code, field, requestId } = request;
  const search = new URLSearchParams({ to: threadId }).toString();
  return (
    <li id={elementIdOf(id)} className={styles.entry} data-side="middle">
      <div className={styles.refused}>
        <Text size="sm" fw={600} c="var(--mantine-color-error)">
          Refused: {explanation === null ? code : <Words>{explanation.message}</Words>}
        </Text>
        {explanation === null ? null : (
          <p>
            {field === null ? null : <Words>{`Field: \`${field}\`. `}</Words>}
            <Words>{explanation.nextStep}</Words>
          </p>
        )}
        <div className={styles.meta}>
          <span>sent with the key “{key.name}”</span>
          <InlineLink to={`/requests/${requestId}?${search}`}>Request</InlineLink>
          <ClockTime at={at} />
        </div>
      </div>
    </li>
  );
}
