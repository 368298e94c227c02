import { Group } from "@mantine/core";
import { Tag, type Tone } from "@/app/ui/tag";
import type { DeliveryState, Endpoint } from "./types";
import { DELIVERY_STATES, DISABLED } from "./words";

/** Tags for an endpoint's state, and for what needs attention. */
export function EndpointTags({ of: endpoint }: { of: Endpoint }) {
  const { tone, word } = statusOf(endpoint);
  return (
    <Group gap={4} component="span" display="inline-flex">
      <Tag tone={tone}>{word}</Tag>
      {endpoint.url === null ? <Tag tone="neutral">fetched</Tag> : null}
      {endpoint.former_secret_ends_at === null ? null : <Tag tone="info">new secret</Tag>}
    </Group>
  );
}

function statusOf({ disabled_reason: reason, failing_since: failing }: Endpoint): {
  tone: Tone;
  word: string;
} {
  if (reason !== null) return { tone: DISABLED[reason].tone, word: DISABLED[reason].tag };
  return failing === null ? { tone: "good", word: "enabled" } : { tone: "warn", word: "failing" };
}

/** The state's name in the documentation. */
export function StateTag({ state }: { state: DeliveryState }) {
  return <Tag tone={DELIVERY_STATES[state].tone}>{state}</Tag>;
}
