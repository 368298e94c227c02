import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { type ComponentType, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Fact } from "@/app/ui/facts";
import { takeFocus } from "@/app/ui/focus";
import { Fault } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { useMay } from "../../shared/viewer";
import type { ContactDetail } from "../types";

/** The name and the marketing preference, each with a form in its place for members who may change it. */
export function EditableFacts({ contact }: { contact: ContactDetail }) {
  const { name, marketingOptedOutAt } = contact;
  return (
    <>
      <Fact name="Name">
        <Editable what="name" contact={contact} Form={NameForm}>
          {name === null ? (
            <Text span inherit c="dimmed">
              No name
            </Text>
          ) : (
            <span dir="auto">{name}</span>
          )}
        </Editable>
      </Fact>
      <Fact name="Marketing">
        <Editable what="marketing preference" contact={contact} Form={MarketingForm}>
          {marketingOptedOutAt === null ? (
            NOT_OPTED_OUT
          ) : (
            <span>
              {OPTED_OUT} <Time at={marketingOptedOutAt} />
            </span>
          )}
        </Editable>
      </Fact>
    </>
  );
}

interface FormProps {
  readonly contact: ContactDetail;
  readonly onClose: () => void;
}

function Editable({
  what,
  contact,
  Form,
  children,
}: {
  what: string;
  contact: ContactDetail;
  Form: ComponentType<FormProps>;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // The button is drawn again only after this event.
    setTimeout(() => opener.current?.focus());
  };
  const mayEdit = useMay()("contacts.write");
  if (isOpen) return <Form contact={contact} onClose={close} />;
  return (
    <Group gap="xs">
      {children}
      {mayEdit ? (
        <Button
          ref={opener}
          variant="subtle"
          size="compact-sm"
          aria-label={`Edit ${what}`}
          onClick={() => setOpen(true)}
        >
          Edit
        </Button>
      ) : null}
    </Group>
  );
}

function NameForm({ contact, onClose }: FormProps) {
  const before = contact.name ?? "";
  const [name, setName] = useState(before);
  const update = useUpdate(contact.id);
  const act = useAction(async () => {
    await update({ name: name.trim() === "" ? null : name });
    onClose();
  });
  return (
    <EditForm label="Name" act={act} fields={["name"]} isChanged={name !== before} onClose={onClose}>
      <TextInput
        ref={takeFocus}
        aria-label="Name"
        description="Leave empty to use the WhatsApp profile name from the customer’s next message."
        inputWrapperOrder={["input", "error", "description"]}
        autoComplete="off"
        dir="auto"
        value={name}
        error={act.faultAt("name")}
        onKeyDown={onEscape(act.isBusy ? null : onClose)}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
    </EditForm>
  );
}

const NOT_OPTED_OUT = "Not opted out";
const OPTED_OUT = "Opted out";

function MarketingForm({ contact, onClose }: FormProps) {
  const before = contact.marketingOptedOutAt === null ? NOT_OPTED_OUT : OPTED_OUT;
  const [choice, setChoice] = useState<string>(before);
  const update = useUpdate(contact.id);
  const act = useAction(async () => {
    await update({ marketing_opt_out: choice === OPTED_OUT });
    onClose();
  });
  return (
    <EditForm
      label="Marketing preference"
      act={act}
      fields={["marketing_opt_out"]}
      isChanged={choice !== before}
      onClose={onClose}
    >
      <NativeSelect
        ref={takeFocus}
        aria-label="Marketing preference"
        description="Marketing templates to a contact who opted out are refused. A later choice by the customer replaces this one."
        inputWrapperOrder={["input", "error", "description"]}
        data={[NOT_OPTED_OUT, OPTED_OUT]}
        value={choice}
        error={act.faultAt("marketing_opt_out")}
        onKeyDown={onEscape(act.isBusy ? null : onClose)}
        onChange={({ currentTarget: { value } }) => setChoice(value)}
      />
    </EditForm>
  );
}

/** Escape cancels, but not while the change is being saved, nor while it ends an input method's composition. */
const onEscape =
  (close: (() => void) | null) =>
  ({ key, nativeEvent }: KeyboardEvent) => {
    if (key === "Escape" && !nativeEvent.isComposing) close?.();
  };

function EditForm({
  label,
  act,
  fields,
  isChanged,
  onClose,
  children,
}: {
  label: string;
  act: ReturnType<typeof useAction>;
  fields: readonly string[];
  isChanged: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <form aria-label={label} onSubmit={act.onSubmit} noValidate>
      <Stack gap="xs" maw="26rem" py={4}>
        {children}
        <Fault of={act.faultBeside(...fields)} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={act.isBusy} disabled={!isChanged}>
            Save
          </Button>
          <Button variant="default" size="xs" disabled={act.isBusy} onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns a function that changes the contact, and then asks again for what shows it. */
function useUpdate(contactId: string) {
  const client = useTRPCClient();
  const { contacts, conversations } = useTRPC();
  const refetch = useRefetch();
  return async (change: { name: string | null } | { marketing_opt_out: boolean }) => {
    await client.contacts.update.mutate({ contact_id: contactId, ...change });
    await refetch(contacts.pathFilter(), conversations.pathFilter());
  };
}
