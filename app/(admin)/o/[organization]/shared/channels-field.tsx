"use client";

import { Checkbox, Radio, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { QueryState } from "@/app/ui/query-state";
import { useChannels } from "./use-choices";

/** A field that chooses channels; null means all. */
export function ChannelsField({
  description,
  value,
  onChange,
  error,
}: {
  /** Explains the effect of choosing some. */
  description: string;
  value: string[] | null;
  onChange: (value: string[] | null) => void;
  error?: ReactNode;
}) {
  const { query, channels } = useChannels();
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Channels"
        description={description}
        value={value === null ? "all" : "some"}
        onChange={(choice) => onChange(choice === "all" ? null : [])}
        error={value === null ? error : null}
      >
        <Stack gap={6} mt="xs">
          <Radio value="all" label="All, including future ones" />
          <Radio value="some" label="Selected channels only" />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <QueryState query={query} rows={2}>
          {() => (
            <Checkbox.Group
              aria-label="Allowed channels"
              value={value}
              onChange={onChange}
              error={error}
              pl="xl"
            >
              <Stack gap={6}>
                {channels.map(({ id, name, display_phone_number: number, state }) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={name}
                    description={state === "disabled" ? `${number}, disabled` : number}
                    styles={{ label: { overflowWrap: "anywhere" } }}
                  />
                ))}
                {channels.length === 0 ? <Text size="sm">The organization has no channels yet.</Text> : null}
              </Stack>
            </Checkbox.Group>
          )}
        </QueryState>
      )}
    </Stack>
  );
}

/** Shows the channels' names if all are loaded, else their number. */
export function ChannelNames({ ids }: { ids: readonly string[] }) {
  const { query, channels } = useChannels();
  if (query.data === undefined || query.hasNextPage) return `${ids.length} chosen`;
  return channels
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(", ");
}
