"use client";

import { usePathname } from "next/navigation";
import { CopyButton } from "./copy-button";
import styles from "./markdown-links.module.css";
import { isPage, markdownPath } from "./pages";

/** A link to the page as markdown, and a button that copies it. */
export function MarkdownLinks() {
  const path = usePathname();
  if (!isPage(path)) return null;
  const href = markdownPath(path);
  const load = async () => {
    const response = await fetch(href, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${href} answered ${response.status}`);
    return response.text();
  };
  return (
    <div className={styles.links}>
      {/* Not a page of Next's router, which would load it as one. */}
      <a href={href} type="text/markdown">
        View as Markdown
      </a>
      <CopyButton load={load} label="Copy page" className={styles.copy} />
    </div>
  );
}

const LOAD_TIMEOUT_MS = 10_000;
