"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { holdsSecret } from "./secret-text";

const TYPING_MS = 300;

/**
 * Text that narrows a list. It is searched for once nobody types any more, at Enter, or when the field is left: whoever
 * clicks on something has been searched for before, and what is clicked on isn't changed by it afterwards. What is searched
 * for stands in addresses: an API key isn’t.
 */
export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
  isMain = true,
  flex,
  lengthMax = 500,
}: {
  label: string;
  placeholder?: string;
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  /** The page’s own search, which `/` leads to. */
  isMain?: boolean;
  flex?: string;
  lengthMax?: number;
}) {
  /** What was typed since; null where that is searched for already. */
  const [typed, setTyped] = useState<string | null>(null);
  const search = useDebouncedCallback((text: string) => {
    if (holdsSecret(text)) return;
    setTyped(null);
    onSearch(text);
  }, TYPING_MS);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={isMain ? <IconSearch size={16} aria-hidden /> : undefined}
      value={typed ?? value}
      error={
        holdsSecret(typed ?? "")
          ? "This is an API key. Keys are secret, so you can’t search for them here. Go to API keys and use “Look up a key”."
          : undefined
      }
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
      onBlur={() => search.flush()}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter") search.flush();
      }}
      flex={flex}
      maxLength={lengthMax}
      data-page-search={isMain || undefined}
    />
  );
}
