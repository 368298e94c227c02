"use client";

import { Alert, AppShell, Burger, Group, NavLink, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useOffline } from "next/offline";
import { type ReactNode, useContext } from "react";
import { PageLink } from "@/app/ui/page-link";
import { ClockAhead } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { usePausedChannels } from "../shared/use-paused-channels";
import { useMay, useMayOpen, usePath } from "../shared/viewer";
import { AccountMenu, ColorSchemeMenu, OrganizationMenu } from "./menus";
import { PAGE_GROUPS } from "./pages";
import { SearchButton } from "./search-button";
import styles from "./shell.module.css";

/** The layout around every page of an organization. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = usePath();
  return (
    <AppShell
      className={styles.shell}
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
        <div className={styles.pages}>
          <Navigation onGo={close} />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <MovedClock />
        {children}
      </AppShell.Main>
      <Away />
    </AppShell>
  );
}

/** Says that the demo's clock was moved: times on all pages are by that clock. */
function MovedClock() {
  const aheadMs = useContext(ClockAhead);
  return (
    <div className={styles.clock} aria-live="polite">
      {aheadMs === 0 ? null : (
        <p role="note" className={styles.movedClock}>
          The clock of this demo is ahead by {durationText(aheadMs)}. All times are by that clock.
        </p>
      )}
    </div>
  );
}

const UNITS = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1_000 },
] as const;

/** Formats `1 day 3 hours`, for example. */
function durationText(ms: number): string {
  let restMs = ms;
  return UNITS.flatMap(({ unit, ms: unitMs }) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`];
  }).join(" ");
}

/** Lists the pages that the viewer may open. */
function Navigation({ onGo }: { onGo: () => void }) {
  const here = usePathname();
  const path = usePath();
  const mayOpen = useMayOpen();
  const needs = useNeeds();
  const groups = PAGE_GROUPS.map(({ label, pages }) => ({ label, pages: pages.filter(mayOpen) }));
  // If a page and one below it match, the one below wins.
  const [pageHere] = groups
    .flatMap(({ pages }) => pages.map((page) => path(page.path)))
    .filter((page) => here === page || here.startsWith(`${page}/`))
    .toSorted((one, other) => other.length - one.length);
  return groups.map(({ label, pages }) => {
    if (pages.length === 0) return null;
    return (
      <section key={label} className={styles.group} aria-label={label}>
        <p className={styles.groupLabel} aria-hidden>
          {label}
        </p>
        {pages.map(({ path: page, label: name, Icon }) => {
          const isHere = pageHere === path(page);
          return (
            <NavLink
              key={page}
              component={PageLink}
              href={path(page)}
              label={
                <>
                  {name}
                  {needs[page] === undefined ? null : <VisuallyHidden> ({needs[page]})</VisuallyHidden>}
                </>
              }
              rightSection={
                needs[page] === undefined ? null : (
                  <span className={styles.dot} title={needs[page]} aria-hidden />
                )
              }
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              active={isHere}
              aria-current={isHere ? "page" : undefined}
              className={styles.link}
              onClick={onGo}
            />
          );
        })}
      </section>
    );
  });
}

/** Returns, by page, why it needs attention. Pages without a problem are missing. */
function useNeeds(): Readonly<Record<string, string | undefined>> {
  const paused = usePausedChannels().length;
  const failing = useFailingEndpoints();
  return {
    ...(paused === 0 ? {} : { "/channels": paused === 1 ? "one is paused" : `${paused} are paused` }),
    ...(failing === 0 ? {} : { "/webhooks": failing === 1 ? "one is failing" : `${failing} are failing` }),
  };
}

const ENDPOINTS_POLL_MS = 60_000;

/** Counts the webhook endpoints that fail, or that were disabled because they failed. */
function useFailingEndpoints(): number {
  const endpoints = useQuery(
    useTRPC().webhooks.list.queryOptions(
      {},
      { enabled: useMay()("webhooks.manage"), refetchInterval: ENDPOINTS_POLL_MS },
    ),
  ).data?.data;
  return (endpoints ?? []).filter(
    ({ disabled_reason: reason, failing_since: since }) =>
      reason !== "member" && (reason !== null || since !== null),
  ).length;
}

/** Statuses of a proxy, or of a process that starts or stops. They say nothing about the requested page. */
const AWAY = new Set([502, 503, 504]);
/** The header that Next adds to its requests for pages. */
const PAGE_REQUEST = "rsc";

/**
 * If a request for another page fails, Next keeps the current page and retries. If the response is an error, Next
 * leaves the app and loads the URL. A response that only says that the server is unavailable therefore has to count as
 * a failure.
 */
function failWhereAway(): void {
  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const answer = await ask(input, init);
    const isPage = new Headers(init?.headers).has(PAGE_REQUEST);
    if (isPage && AWAY.has(answer.status)) throw new TypeError(`The server is away: ${answer.status}`);
    return answer;
  };
}

if (typeof window !== "undefined") failWhereAway();

/** Says that another page can't be opened at the moment. Next retries every few seconds. */
function Away() {
  const isAway = useOffline();
  return (
    <div className={styles.away}>
      {isAway ? (
        <Alert color="yellow" variant="filled" autoContrast title="Can’t reach the server">
          You are still on the current page. Waypost retries every few seconds. The page that you chose opens
          when the server responds.
        </Alert>
      ) : null}
    </div>
  );
}
