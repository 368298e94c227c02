import { Group } from "@mantine/core";
import { Tag, type Tone } from "@/app/ui/tag";
import type { Key } from "./types";

const STATUS = {
  live: { tone: "good", word: "live" },
  expired: { tone: "warn", word: "expired" },
  revoked: { tone: "neutral", word: "revoked" },
} as const satisfies Record<Key["status"], { tone: Tone; word: string }>;

/** Tags for a key's state, and for what needs attention. */
export function KeyTags({ of: { status, expiresSoon, isUnused, secrets } }: { of: Key }) {
  const { tone, word } = STATUS[status];
  return (
    <Group gap={4} component="span" display="inline-flex">
      <Tag tone={tone}>{word}</Tag>
      {expiresSoon ? <Tag tone="warn">expires soon</Tag> : null}
      {isUnused ? <Tag tone="warn">unused</Tag> : null}
      {secrets.length > 1 ? <Tag tone="info">two secrets</Tag> : null}
    </Group>
  );
}
