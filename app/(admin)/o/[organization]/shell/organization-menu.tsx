"use client";

import { Button, Menu } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { PageLink } from "@/app/ui/page-link";
import styles from "./shell.module.css";
import { useViewer } from "../shared/viewer";

/** Shows the current organization, with links to the others. */
export function OrganizationMenu() {
  const { me, organization } = useViewer();
  const name = <span className={styles.organization}>{organization.name}</span>;
  return (
    <Menu position="bottom-start" width={260}>
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
