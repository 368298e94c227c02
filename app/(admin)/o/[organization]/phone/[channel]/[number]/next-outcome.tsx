import { Radio, Stack } from "@mantine/core";
import { useRef } from "react";
import { Fault } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { type PhoneView, usePhoneName } from "./use-phone";

const NONE = "none";

const LABELS: Readonly<Record<string, string>> = {
  not_delivered: "Not delivered",
  slow: "Slow",
  not_read: "Not read yet",
  read_without_delivered: "Read, but never delivered",
  number_changed: "Number changed",
  opted_out: "Opted out",
};

/** Chooses what happens to the next message to this customer. Whatever is chosen happens once. */
export function NextOutcome({ view: { next_outcome: chosen, next_outcomes: all } }: { view: PhoneView }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const phone = usePhoneName();
  const next = useRef<string | null>(null);
  const act = useAction(async () => {
    await client.phone.setNextOutcome.mutate({ ...phone, outcome: next.current });
    await refetch(trpc.phone.get.queryFilter(phone));
  });
  const choose = (value: string) => {
    next.current = value === NONE ? null : value;
    act.run();
  };
  const title = "What goes wrong next";
  return (
    <Section title={title} lead="It happens to the next message that you send to this customer, once.">
      <Fault of={act.faultBeside()} />
      <Radio.Group value={chosen ?? NONE} onChange={choose} aria-label={title}>
        <Stack gap="xs">
          <Radio value={NONE} label="Nothing" description="It is delivered and read at once." />
          {all.map(({ name, description }) => (
            <Radio key={name} value={name} label={LABELS[name] ?? name} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  );
}
