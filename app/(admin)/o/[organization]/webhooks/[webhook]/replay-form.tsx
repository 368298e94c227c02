"use client";

import { Group, Input, Radio, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { DialogButtons } from "@/app/ui/dialog";
import { Fault, QueryState } from "@/app/ui/query-state";
import { count, upperFirst } from "@/app/ui/format";
import { ClockAhead, exactTime } from "@/app/ui/time";
import { momentsOf, type TimeRange, TimeRangeInput } from "@/app/ui/time-range";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../../shared/use-changed";
import type { EndpointDetail } from "../types";
import { areSkipped } from "./how-many";

const CHOICES = [
  { only: "skipped", label: "Skipped", meaning: "Events from when the endpoint was disabled" },
  { only: "failed", label: "Failed", meaning: "Events whose final attempt failed" },
  {
    only: "all",
    label: "All",
    meaning: "Skipped, failed and delivered events. Your program gets delivered events again",
  },
] as const;
type Only = (typeof CHOICES)[number]["only"];

const isChoice = (text: string): text is Only => CHOICES.some(({ only }) => only === text);

const DAY_MS = 86_400_000;
/** Longer than deliveries are kept. */
const ANY_TIME_DAYS = 40;

/** Counts the deliveries that would be sent again, and then sends exactly those. */
export function ReplayForm({ of: endpoint, onClose }: { of: EndpointDetail; onClose: () => void }) {
  const [only, setOnly] = useState<Only>(areSkipped(endpoint) ? "skipped" : "failed");
  const [range, setRange] = useState<TimeRange>({ range: null, since: null, until: null });
  const counted = useReplayCount(endpoint.id, only, range);
  const act = useReplay(endpoint.id, counted.data, onClose);
  const found = counted.data?.count ?? 0;
  const isExact = counted.data?.count_is_exact ?? true;
  return (
    <form onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <Text>
          Waypost sends the same bytes with the same event IDs. Each delivery gets the full number of attempts
          again. Your program can use the ID to detect events that it already has.
        </Text>
        <Radio.Group
          label="Events"
          value={only}
          onChange={(chosen) => {
            if (isChoice(chosen)) setOnly(chosen);
          }}
        >
          <Stack gap="xs" mt="xs">
            {CHOICES.map((choice) => (
              <Radio
                key={choice.only}
                value={choice.only}
                label={choice.label}
                description={choice.meaning}
                data-autofocus={choice.only === only || undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Input.Wrapper label="Created" labelElement="div">
          <Group gap="xs" mt={4}>
            <TimeRangeInput value={range} onChange={setRange} />
          </Group>
        </Input.Wrapper>
        <div aria-live="polite">
          <QueryState query={counted} rows={1}>
            {(many) => (
              <Text>
                <strong>{upperFirst(deliveries(many))}</strong>, as of {exactTime(new Date(many.until))}
              </Text>
            )}
          </QueryState>
        </div>
        <Fault of={act.faultBeside()} />
        <DialogButtons
          onClose={onClose}
          isBusy={act.isBusy}
          isDisabled={(found === 0 && isExact) || counted.isFetching}
        >
          {found === 0 || !isExact ? "Replay" : `Replay ${count.format(found)}`}
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** Returns a text such as `1 delivery`, or `at least 100,000 deliveries`. */
function deliveries({
  count: many,
  count_is_exact: isExact,
}: Pick<Counted, "count" | "count_is_exact">): string {
  if (many === 0 && !isExact) return "too many deliveries to count the matching ones";
  return `${isExact ? "" : "at least "}${count.format(many)} ${many === 1 ? "delivery" : "deliveries"}`;
}

interface Counted {
  /** The same for every click on one count: a click after a lost response sends nothing twice. */
  readonly replayId: string;
  readonly only: Only;
  readonly since: string;
  readonly until: string;
  readonly count: number;
  /** False if there may be more. */
  readonly count_is_exact: boolean;
}

/** Counts the deliveries as of now. Later ones aren't included. */
function useReplayCount(id: string, only: Only, range: TimeRange) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const aheadMs = useContext(ClockAhead);
  return useQuery({
    queryKey: [...trpc.webhooks.replay.mutationKey(), id, only, range],
    queryFn: async (): Promise<Counted> => {
      const now = Date.now() + aheadMs;
      const longAgo = new Date(now - ANY_TIME_DAYS * DAY_MS).toISOString();
      const { since = longAgo, until } = momentsOf(range, now);
      const counted = await client.webhooks.replay.mutate({ id, only, since, until, dry_run: true });
      return { ...counted, replayId: newIdempotencyToken() };
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}

function useReplay(id: string, counted: Counted | undefined, onClose: () => void) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  return useAction(async () => {
    if (counted === undefined) return;
    const { replayId, only, since, until } = counted;
    const sent = await client.webhooks.replay.mutate({ id, replay_id: replayId, only, since, until });
    const some =
      sent.count === 0 && !sent.count_is_exact ? "Matching deliveries are" : upperFirst(deliveries(sent));
    notifications.show({ message: `${some} being sent again.` });
    onClose();
    await changed();
  });
}
