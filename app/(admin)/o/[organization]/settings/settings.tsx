"use client";

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Fault } from "@/app/ui/query-state";
import { Page } from "@/app/ui/admin-page";
import { Section } from "@/app/ui/section";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useMay, useViewer } from "../shared/viewer";
import { MarketingWords, MarketingWordsForm } from "./marketing-words-form";
import { RetentionForm } from "./retention-form";

export function Settings() {
  const { organization } = useViewer();
  const mayManage = useMay()("organization.manage");
  return (
    <Page title="Settings">
      <Stack gap={40} maw="44rem">
        <Section title="Organization">
          <Facts>
            {mayManage ? null : <Fact name="Name">{organization.name}</Fact>}
            <IdFact name="Organization ID" value={organization.id} />
          </Facts>
          {mayManage ? <NameForm /> : null}
        </Section>
        <Section
          title="Data retention"
          lead="Waypost erases the content and the recipient numbers of messages that are older than the retention period. IDs, times, states and error codes are kept, so that Waypost can still respond to a repeated request. The number of a customer who opted out of marketing is kept too, so that the opt-out stays in force."
        >
          {mayManage ? <RetentionForm /> : <Text>{organization.retentionDays} days</Text>}
        </Section>
        <Section
          title="Marketing opt-out"
          lead="A customer whose whole message is one of the opt-out words gets no more marketing templates, until they write one of the opt-in words. Upper and lower case don’t matter."
        >
          {mayManage ? <MarketingWordsForm /> : <MarketingWords />}
        </Section>
      </Stack>
    </Page>
  );
}

function NameForm() {
  const { organization } = useViewer();
  const [name, setName] = useState(organization.name);
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().organization.rename.mutationOptions());
  const form = useAction(async () => {
    await mutateAsync({ name });
    router.refresh();
  }, "The organization was renamed.");
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Fault of={form.faultBeside("name")} />
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name"
          name="organization"
          value={name}
          error={form.faultAt("name")}
          onChange={(event) => setName(event.currentTarget.value)}
          flex="1 1 14rem"
        />
        <Button
          type="submit"
          variant="default"
          loading={form.isBusy}
          disabled={name.trim() === organization.name}
        >
          Save
        </Button>
      </Group>
    </form>
  );
}
