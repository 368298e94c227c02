"use client";

import { Checkbox, Fieldset, Group, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { Tag } from "@/app/ui/tag";
import { Words } from "@/app/ui/words";
import type { KeyOptions, ScopeName } from "./types";
import { scopeGroups } from "./words";

/** Explains the effect of choosing channels for a key. */
export const CHANNELS_DESCRIPTION = "These channels limit both what the key can send and what it can read.";

interface Field<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly error?: string | null;
}

/** The key's scopes, grouped by subject. */
export function ScopesField({
  options,
  value,
  onChange,
  error,
}: Field<ScopeName[]> & { options: KeyOptions["scopes"] }) {
  const setScopes = (names: string[]) =>
    onChange(options.filter(({ name }) => names.includes(name)).map(({ name }) => name));
  return (
    <Checkbox.Group
      label="Scopes"
      description="What this key may do. Give it only the scopes that its program needs."
      value={value}
      onChange={setScopes}
      error={error}
    >
      <Stack gap="sm" mt="xs">
        {scopeGroups(options).map(({ noun, label, members }) => (
          <Fieldset key={noun} variant="unstyled" legend={label}>
            <Stack gap={6}>
              {members.map(({ name, description, isDefault }) => (
                <Checkbox
                  key={name}
                  value={name}
                  label={
                    <Group gap={6} component="span">
                      <span>{name}</span>
                      {isDefault ? null : <Tag tone="neutral">not a default</Tag>}
                    </Group>
                  }
                  description={<Words>{description}</Words>}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export interface Expiry {
  readonly choice: "never" | "30" | "90" | "365" | "at";
  /** The value of a `datetime-local` field. */
  readonly at: string;
}

const EXPIRY_CHOICES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "at", label: "Custom" },
] as const satisfies readonly { value: Expiry["choice"]; label: string }[];

const DAY_MS = 86_400_000;

/**
 * Returns the chosen moment: null for never, undefined if the field holds no moment. @param nowMs the server's time, in
 * Unix milliseconds.
 */
export function momentOf({ choice, at }: Expiry, nowMs: number): Date | null | undefined {
  if (choice === "never") return null;
  if (choice !== "at") return new Date(nowMs + Number(choice) * DAY_MS);
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

export function ExpiryField({ value, onChange, error }: Field<Expiry>) {
  const isAt = value.choice === "at";
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label="Expires"
        data={EXPIRY_CHOICES}
        value={value.choice}
        allowDeselect={false}
        error={isAt ? null : error}
        onChange={(choice) => choice && onChange({ ...value, choice })}
      />
      {isAt ? (
        <TextInput
          type="datetime-local"
          label="Expires at"
          value={value.at}
          error={error}
          onChange={(event) => onChange({ ...value, at: event.currentTarget.value })}
        />
      ) : null}
    </Group>
  );
}

export interface Limits {
  readonly send: number | string;
  readonly read: number | string;
}

/** Fields for the limits. Keeps invalid input as it was typed, so that the server can refuse it. */
export function LimitsField({
  value,
  onChange,
  sendError,
  readError,
}: Omit<Field<Limits>, "error"> & { sendError: string | null; readError: string | null }) {
  return (
    <Group align="flex-start" grow>
      <NumberInput
        label="New messages per minute"
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=" "
        value={value.send}
        error={sendError}
        onChange={(send) => onChange({ ...value, send })}
      />
      <NumberInput
        label="Other requests per minute"
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=" "
        value={value.read}
        error={readError}
        onChange={(read) => onChange({ ...value, read })}
      />
    </Group>
  );
}
