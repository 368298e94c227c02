"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import { IconSearch } from "./icons";
import { holdsSecret } from "./secret-text";

const TYPING_MS = 300;

/**
 * A text field that filters a list. It searches once typing pauses, on Enter, or when the field loses the focus: a
 * click elsewhere therefore follows the search, and the clicked element isn't changed by it afterwards. The text goes
 * into URLs, so an API key is never searched for.
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
  /** The current search text. */
  value: string;
  onSearch: (text: string) => void;
  /** True for the page’s main search. The key `/` focuses it. */
  isMain?: boolean;
  flex?: string;
  lengthMax?: number;
}) {
  /** Text typed since the last search; null if there is none. */
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
