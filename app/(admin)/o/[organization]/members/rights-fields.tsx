"use client";

import { Checkbox, Radio, Stack } from "@mantine/core";
import { useViewer } from "../shared/viewer";

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

const ROLES = [
  {
    value: "owner",
    label: "Owner",
    description: "Can do everything, including making other members owners.",
  },
  { value: "admin", label: "Admin", description: "Can do everything except change owners." },
  {
    value: "agent",
    label: "Agent",
    description: "Can view messages, requests, contacts and usage, and send messages.",
  },
] as const;

type RoleName = (typeof ROLES)[number]["value"];

/** True if the viewer is an owner of the current organization. */
export function useIsOwner(): boolean {
  const { me, organization } = useViewer();
  return me.organizations.some(({ id, role }) => id === organization.id && role === "owner");
}
