import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./docs.module.css";
import { MarkdownLinks } from "./parts/markdown-links";
import { Navigation } from "./parts/navigation";
import { SearchBox } from "./parts/search-box";

export const metadata: Metadata = {
  title: { default: "Documentation · Waypost", template: "%s · Waypost documentation" },
};

export default function DocumentationLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <Link href="/" className={styles.brand}>
          Waypost
        </Link>
        <Link href="/docs" className={styles.barTitle}>
          Documentation
        </Link>
        <SearchBox />
      </header>
      <Navigation />
      <main id="content" className={styles.content} tabIndex={-1}>
        <MarkdownLinks />
        {children}
      </main>
    </div>
  );
}
