"use client";

import { NavLink } from "@mantine/core";
import { usePathname } from "next/navigation";
import { PageLink } from "@/app/ui/page-link";
import { PAGE_GROUPS } from "./pages";
import styles from "./shell.module.css";
import { useMay, usePath } from "./viewer";

/** The pages that who looks may open. */
export function Navigation({ onGo }: { onGo: () => void }) {
  const here = usePathname();
  const path = usePath();
  const may = useMay();
  return PAGE_GROUPS.map(({ label, pages }) => {
    const allowed = pages.filter(({ capability }) => may(capability));
    if (allowed.length === 0) return null;
    return (
      <section key={label} className={styles.group} aria-label={label}>
        <p className={styles.groupLabel} aria-hidden>
          {label}
        </p>
        {allowed.map(({ path: page, label: name, Icon }) => {
          const isHere = here === path(page) || here.startsWith(`${path(page)}/`);
          return (
            <NavLink
              key={page}
              component={PageLink}
              href={path(page)}
              label={name}
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
