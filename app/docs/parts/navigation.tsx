"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { SECTIONS } from "./pages";
import styles from "./navigation.module.css";

/** Lists all pages: beside the content if there is room, else in a menu above it. */
export function Navigation() {
  const path = usePathname();
  const menu = useRef<HTMLDetailsElement>(null);
  // Choosing a page closes the menu.
  useEffect(() => {
    if (menu.current) menu.current.open = false;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [path]);
  return (
    <>
      <details ref={menu} className={styles.menu}>
        <summary className={styles.summary}>All pages</summary>
        <nav aria-label="Documentation, menu">
          <Sections path={path} />
        </nav>
      </details>
      <nav aria-label="Documentation" className={styles.side}>
        <Sections path={path} />
      </nav>
    </>
  );
}

function Sections({ path }: { path: string }) {
  return SECTIONS.map(({ title, pages }) => (
    <div key={title} className={styles.section}>
      <p className={styles.heading}>{title}</p>
      <ul className={styles.list}>
        {pages.map((page) => (
          <li key={page.path}>
            <Link
              href={page.path}
              className={styles.link}
              aria-current={page.path === path ? "page" : undefined}
            >
              {page.title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
