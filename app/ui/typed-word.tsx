"use client";

import { TextInput } from "@mantine/core";
import { seenText } from "./seen-text";

/** Whether somebody has typed the word as they see it: what it has beside that, nobody can type. */
export function isTyped(typed: string, word: string): boolean {
  return seenText(typed) === seenText(word);
}

/** Where a word is typed before what can't be undone, so that it is done to what was meant. */
export function TypedWord({
  label,
  word,
  value,
  onChange,
}: {
  label: string;
  word: string;
  value: string;
  onChange: (typed: string) => void;
}) {
  return (
    <TextInput
      label={label}
      description={
        <span style={{ overflowWrap: "anywhere" }}>
          Type “{seenText(word)}”, so that it is certainly this one that you mean.
        </span>
      }
      required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
