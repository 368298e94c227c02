"use client";

import { Checkbox, Radio, Stack } from "@mantine/core";
import { useViewer } from "../shared/viewer";
import { ROLES, type RoleName } from "./rights";
import { useIsOwner } from "./use-is-owner";

export interface Rights {
  readonly role: RoleName;
  readonly permissions: readonly string[];
}

/** Fields for a role, and for an agent's extra capabilities: other roles have all of those anyway. */
export function RightsFields({ value, onChange }: { value: Rights; onChange: (value: Rights) => void }) {
  const isOwner = useIsOwner();
  const { organization } = useViewer();
  const roles = ROLES.filter((role) => isOwner || role.value !== "owner");
  const asRole = (name: string) => roles.find((role) => role.value === name)?.value ?? value.role;
  return (
    <Stack>
      <Radio.Group
        label="Role"
        value={value.role}
        onChange={(role) =>
          onChange({ role: asRole(role), permissions: role === "agent" ? value.permissions : [] })
        }
      >
        <Stack gap="xs" mt={6}>
          {roles.map(({ value: role, label, description }) => (
            <Radio key={role} value={role} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {value.role === "agent" ? (
        <Checkbox.Group
          label="Additional permissions"
          value={[...value.permissions]}
          onChange={(permissions) => onChange({ ...value, permissions })}
        >
          <Stack gap="xs" mt={6}>
            {organization.grantable.map(({ name, words }) => (
              <Checkbox key={name} value={name} label={words} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : null}
    </Stack>
  );
}
