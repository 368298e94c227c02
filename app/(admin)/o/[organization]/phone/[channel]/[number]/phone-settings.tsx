import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useAction } from "@/app/ui/use-action";
import { useCustomerAction } from "./use-phone";

/** What the customer changes in WhatsApp’s own settings. */
export function PhoneSettings({ customer }: { customer: string }) {
  const perform = useCustomerAction();
  const stop = useAction(() => perform({ kind: "preference", value: "stop" }));
  const resume = useAction(() => perform({ kind: "preference", value: "resume" }));
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Section title="WhatsApp settings of the customer">
      <Stack gap="xs" align="flex-start">
        <Group gap="xs">
          <Button variant="default" loading={stop.isBusy} onClick={stop.run}>
            Stop marketing messages
          </Button>
          <Button variant="default" loading={resume.isBusy} onClick={resume.run}>
            Allow them again
          </Button>
          {/^\d+$/.test(customer) ? (
            <Button variant="default" onClick={() => setIsChanging(true)}>
              Change number
            </Button>
          ) : null}
        </Group>
        <Fault of={stop.faultBeside() ?? resume.faultBeside()} />
      </Stack>
      <Dialog
        isOpen={isChanging}
        onClose={() => setIsChanging(false)}
        title="Change the customer’s number"
        size="md"
      >
        <ChangeNumber onClose={() => setIsChanging(false)} />
      </Dialog>
    </Section>
  );
}

function ChangeNumber({ onClose }: { onClose: () => void }) {
  const perform = useCustomerAction();
  const [number, setNumber] = useState("");
  const act = useAction(async () => {
    await perform({ kind: "change_number", number });
    onClose();
  });
  return (
    <form onSubmit={act.onSubmit} noValidate>
      <Stack>
        <Text>WhatsApp tells the business the new number. This phone keeps its messages.</Text>
        <TextInput
          label="New number"
          description="With country code, such as +49 151 12345678"
          type="tel"
          autoComplete="off"
          data-autofocus
          value={number}
          error={act.faultAt("act.number")}
          onChange={({ currentTarget }) => {
            setNumber(currentTarget.value);
            act.forget();
          }}
        />
        <Fault of={act.faultBeside("act.number")} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Change number
        </DialogButtons>
      </Stack>
    </form>
  );
}
