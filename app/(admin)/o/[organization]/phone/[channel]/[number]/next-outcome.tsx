import { Radio, Stack } from "@mantine/core";
import { Fault } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useActionWith } from "@/app/ui/use-action";
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
  const act = useActionWith(async (value: string) => {
    await client.phone.setNextOutcome.mutate({ ...phone, outcome: value === NONE ? null : value });
    await refetch(trpc.phone.get.queryFilter(phone));
  });
  const title = "What goes wrong next";
  return (
    <Section title={title} lead="It happens to the next message that you send to this customer, once.">
      <Fault of={act.faultBeside()} />
      <Radio.Group value={chosen ?? NONE} onChange={act.run} aria-label={title}>
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
