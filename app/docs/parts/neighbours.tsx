"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import styles from "./article.module.css";
import { type DocumentationPage, PAGES } from "./pages";

/** Links to the previous and next page. */
export function Neighbours() {
  const path = usePathname();
  const at = PAGES.findIndex((page) => page.path === path);
  return (
    <nav className={styles.next} aria-label="Previous and next page">
      <Neighbour label="Previous" page={PAGES[at - 1]} />
      <Neighbour label="Next" page={PAGES[at + 1]} />
    </nav>
  );
}

function Neighbour({ label, page }: { label: string; page: DocumentationPage | undefined }) {
  if (!page) return null;
  return (
    <Link href={page.path}>
      <small>{label}</small>
      {page.title}
    </Link>
  );
}
