import { Group } from "@mantine/core";
import { Tag, type Tone } from "@/app/ui/tag";
import type { Channel } from "./types";

const STATES = {
  active: "good",
  paused: "bad",
  disabled: "neutral",
} as const satisfies Record<Channel["state"], Tone>;

/** Tags for a channel's state and kind. */
export function ChannelTags({ of: { state, isDefault, upstream } }: { of: Channel }) {
  return (
    <Group gap={4} component="span" display="inline-flex">
      <Tag tone={STATES[state]}>{state}</Tag>
      {isDefault ? <Tag tone="info">default</Tag> : null}
      {upstream === "simulator" ? <Tag tone="neutral">simulated</Tag> : null}
    </Group>
  );
}
