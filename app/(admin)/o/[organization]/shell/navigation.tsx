"use client";

import { NavLink, VisuallyHidden } from "@mantine/core";
import { usePathname } from "next/navigation";
import { PageLink } from "@/app/ui/page-link";
import { usePausedChannels } from "../shared/use-paused-channels";
import { PAGE_GROUPS } from "./pages";
import styles from "./shell.module.css";
import { useMayOpen, usePath } from "../shared/viewer";

/** Lists the pages that the viewer may open. */
export function Navigation({ onGo }: { onGo: () => void }) {
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
  const count = usePausedChannels().length;
  if (count === 0) return {};
  return { "/channels": count === 1 ? "one is paused" : `${count} are paused` };
}
