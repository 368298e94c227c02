"use client";

import { NativeSelect } from "@mantine/core";

export interface ChoiceItem {
  readonly value: string;
  readonly label: string;
}

/** A filter with one of several values, or none. A value in the URL that isn't among them is shown unchanged. */
export function Choice({
  label,
  none = `Any ${label.toLowerCase()}`,
  data,
  value,
  onChange,
}: {
  label: string;
  /** The label if nothing is chosen. */
  none?: string;
  data: readonly ChoiceItem[];
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const isUnknown = value !== null && !data.some((item) => item.value === value);
  return (
    <NativeSelect
      aria-label={label}
      w={160}
      data={[{ value: "", label: none }, ...data, ...(isUnknown ? [{ value, label: value }] : [])]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
    />
  );
}
