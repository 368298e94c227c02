"use client";

import { Anchor, Button, List, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { spelled } from "../shared/customer-name";
import { usePath } from "../shared/viewer";

type Choices = inferOutput<Procedures["phone"]["choices"]>;

/** Chooses whose phone is shown: a customer of a simulated channel, or any number. */
export function ChoosePhone() {
  const trpc = useTRPC();
  const query = useQuery(trpc.phone.choices.queryOptions());
  return (
    <Page
      title="Customer’s phone"
      lead="See your messages as a customer of a simulated channel sees them, and answer as that customer."
    >
      <QueryState query={query} rows={4}>
        {(choices) =>
          choices.channels.length === 0 ? (
            <Empty title="No simulated channel">Only channels of the WhatsApp simulator have a phone.</Empty>
          ) : (
            <Stack gap="xl">
              <Customers of={choices} />
              <NumberForm channels={choices.channels} />
            </Stack>
          )
        }
      </QueryState>
    </Page>
  );
}

function Customers({ of: { channels, customers } }: { of: Choices }) {
  const path = usePath();
  if (customers.length === 0) return null;
  return (
    <Section title="Latest customers">
      <List spacing="xs" listStyleType="none">
        {customers.map(({ contactId, name, number, channelId }) => (
          <List.Item key={`${contactId} ${channelId}`}>
            <Anchor component={PageLink} href={path(`/phone/${channelId}/${number}`)}>
              {name ?? spelled(number)}
            </Anchor>{" "}
            <Text span c="dimmed" size="sm">
              {name === null ? "" : `${spelled(number)} `}with{" "}
              {channels.find(({ id }) => id === channelId)?.name ?? "another channel"}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function NumberForm({ channels }: { channels: Choices["channels"] }) {
  const path = usePath();
  const router = useRouter();
  const [channelId, setChannelId] = useState(channels[0]?.id ?? "");
  const [number, setNumber] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const digits = number.replace(/\D/g, "").replace(/^00/, "");
    if (/^[1-9][0-9]{6,14}$/.test(digits)) router.push(path(`/phone/${channelId}/${digits}`));
    else setFault("Write the number with its country code, such as +49 151 12345678.");
  };
  return (
    <Section title="Any number" lead="The phone of a number that never wrote is empty, and can write first.">
      <form onSubmit={open} noValidate>
        <Stack maw="24rem" align="flex-start">
          <Select
            w="100%"
            label="Channel"
            allowDeselect={false}
            data={channels.map(({ id, name, displayPhoneNumber }) => ({
              value: id,
              label: `${name} (${displayPhoneNumber})`,
            }))}
            value={channelId}
            onChange={(id) => id !== null && setChannelId(id)}
          />
          <TextInput
            w="100%"
            label="Number"
            description="With country code, such as +49 151 12345678"
            type="tel"
            autoComplete="off"
            value={number}
            error={fault}
            onChange={({ currentTarget }) => {
              setNumber(currentTarget.value);
              setFault(null);
            }}
          />
          <Button type="submit">Open the phone</Button>
        </Stack>
      </form>
    </Section>
  );
}
