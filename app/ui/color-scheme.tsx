"use client";

import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const SCHEMES = [
  { name: "auto", label: "System", Icon: IconDeviceDesktop },
  { name: "light", label: "Light", Icon: IconSun },
  { name: "dark", label: "Dark", Icon: IconMoon },
] as const;

/** Chooses between light and dark. The choice is stored in the browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={190}>
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
