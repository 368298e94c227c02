"use client";

import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Fault } from "@/app/ui/fault";
import { Section } from "@/app/ui/section";
import { useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";

export function NameForm() {
  const { me } = useViewer();
  const [name, setName] = useState(me.name);
  const router = useRouter();
  const { mutateAsync } = useMutation(useTRPC().account.rename.mutationOptions());
  const form = useAction(async () => {
    await mutateAsync({ name });
    router.refresh();
  }, "Your name was changed.");
  return (
    <Section title="Name">
      <form onSubmit={form.onSubmit} noValidate>
        <Fault of={form.faultBeside("name")} />
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label="Name"
            name="name"
            autoComplete="name"
            value={name}
            error={form.faultAt("name")}
            onChange={(event) => setName(event.currentTarget.value)}
            flex="1 1 14rem"
          />
          <Button type="submit" variant="default" loading={form.isBusy} disabled={name === me.name}>
            Save
          </Button>
        </Group>
      </form>
    </Section>
  );
}
