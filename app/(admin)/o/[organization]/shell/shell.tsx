"use client";

import { AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ColorSchemeMenu } from "@/app/ui/color-scheme";
import { PageLink } from "@/app/ui/page-link";
import { AccountMenu } from "./account-menu";
import { Away } from "./away";
import { Navigation } from "./navigation";
import { OrganizationMenu } from "./organization-menu";
import { SearchButton } from "./search-button";
import styles from "./shell.module.css";
import { usePath } from "../shared/viewer";

/** The layout around every page of an organization. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = usePath();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <AppShell.Header className={styles.header}>
        <Group gap="xs" wrap="nowrap" className={styles.start}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? "Close navigation" : "Open navigation"}
            aria-expanded={isOpen}
          />
          <PageLink href={path("/messages")} className={styles.brand}>
            Waypost
          </PageLink>
          <OrganizationMenu />
        </Group>
        <Group gap={4} wrap="nowrap">
          <SearchButton />
          <ColorSchemeMenu />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={styles.navbar} aria-label="Pages" mod={{ closed: !isOpen }}>
        <ScrollArea type="auto">
          <Navigation onGo={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </AppShell.Main>
      <Away />
    </AppShell>
  );
}
