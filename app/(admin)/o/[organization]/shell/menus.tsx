"use client";

import { ActionIcon, Button, Menu, Text, useMantineColorScheme } from "@mantine/core";
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSelector,
  IconShieldLock,
  IconSun,
  IconUserCircle,
} from "@/app/ui/icons";
import { PageLink } from "@/app/ui/page-link";
import { signOut } from "@/app/ui/auth";
import { usePath, useViewer } from "../shared/viewer";
import styles from "./shell.module.css";

/** Shows the current organization, with links to the others. */
export function OrganizationMenu() {
  const { me, organization } = useViewer();
  const name = <span className={styles.organization}>{organization.name}</span>;
  return (
    <Menu position="bottom-start" width={260} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          className={styles.organizationButton}
          aria-label={`Organization: ${organization.name}`}
          rightSection={<IconSelector size={14} aria-hidden />}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organizations</Menu.Label>
        {me.organizations.map(({ id, name: other }) => (
          <Menu.Item
            key={id}
            component={PageLink}
            href={`/o/${id}/messages`}
            rightSection={id === organization.id ? <IconCheck size={16} aria-label="current" /> : null}
          >
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES = [
  { name: "auto", label: "System", Icon: IconDeviceDesktop },
  { name: "light", label: "Light", Icon: IconSun },
  { name: "dark", label: "Dark", Icon: IconMoon },
] as const;

/** Chooses between light and dark. The choice is stored in the browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={190} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Colours">
          <IconSun size={18} className="mantine-light-hidden" aria-hidden />
          <IconMoon size={18} className="mantine-dark-hidden" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ name, label, Icon }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === name ? <IconCheck size={16} aria-label="chosen" /> : null}
            onClick={() => setColorScheme(name)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function AccountMenu() {
  const { me } = useViewer();
  const path = usePath();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
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
