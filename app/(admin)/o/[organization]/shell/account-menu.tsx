"use client";

import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconBook, IconLogout, IconShieldLock, IconUserCircle } from "@tabler/icons-react";
import { PageLink } from "@/app/ui/page-link";
import { signOut } from "@/app/ui/sign-out";
import { usePath, useViewer } from "../shared/viewer";

export function AccountMenu() {
  const { me } = useViewer();
  const path = usePath();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.name}
          </Text>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          component={PageLink}
          href={path("/account")}
          leftSection={<IconShieldLock size={16} aria-hidden />}
        >
          Account and security
        </Menu.Item>
        <Menu.Item component={PageLink} href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
          Documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
