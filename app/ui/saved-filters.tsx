"use client";

import { ActionIcon, Anchor, Button, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { usePathname, useSearchParams } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { IconBookmark, IconX } from "./icons";
import { PageLink } from "./page-link";
import { filtersIn, useSavedFilters, withFilter } from "./use-saved-filters";

const NAME_LENGTH_MAX = 60;

/** Filters of a list that the viewer named, in this browser. @param list the name of what is listed. */
export function SavedFilters({ list, isFiltered }: { list: string; isFiltered: boolean }) {
  const path = usePathname();
  const filters = filtersIn(useSearchParams().toString());
  const [saved, setSaved] = useSavedFilters(list);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      onDismiss={close}
      position="bottom-start"
      withinPortal={false}
      // The button is hidden in a narrow window, and would stay hidden to the popover when it is shown again.
      hideDetached={false}
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={toggle}
        >
          Saved filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={300}>
        <Stack gap="sm">
          {saved.length === 0 ? null : (
            <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
              {saved.map(({ name, search }) => (
                <Group key={name} component="li" justify="space-between" wrap="nowrap" gap="xs">
                  <Anchor component={PageLink} href={`${path}?${search}`} size="sm" truncate onClick={close}>
                    {name}
                  </Anchor>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Remove ${name}`}
                    onClick={() => setSaved(saved.filter((other) => other.name !== name))}
                  >
                    <IconX size={14} aria-hidden />
                  </ActionIcon>
                </Group>
              ))}
            </Stack>
          )}
          {isFiltered ? (
            <SaveForm
              onSave={(name) => {
                setSaved(withFilter(saved, { name, search: filters }));
                close();
              }}
            />
          ) : (
            <Text size="sm" c="dimmed">
              Set filters to save them here.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (name.trim() !== "") onSave(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Save these filters as"
          size="xs"
          flex={1}
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs">
          Save
        </Button>
      </Group>
    </form>
  );
}
