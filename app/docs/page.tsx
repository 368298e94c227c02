import type { Metadata } from "next";
import Link from "next/link";
import styles from "./overview.module.css";
import article from "./parts/article.module.css";
import { markdownPath, SECTIONS } from "./parts/pages";

export const metadata: Metadata = {
  title: { absolute: "Waypost documentation" },
  alternates: { types: { "text/markdown": markdownPath("/docs") } },
};

export default function OverviewPage() {
  return (
    <div className={article.article}>
      <h1 className={article.title}>Send WhatsApp messages from your application</h1>
      <p className={article.lead}>
        Send a message with a single request, under an id of your own. An accepted message is stored durably,
        a repeated request never sends it twice, and you can check its delivery status at any time.
      </p>
      {SECTIONS.map(({ title, pages }) => (
        <section key={title} className={styles.section} aria-label={title}>
          <h2 className={styles.heading}>{title}</h2>
          <dl className={styles.pages}>
            {pages.map((page) => (
              <div key={page.path} className={styles.page}>
                <dt>
                  <Link href={page.path}>{page.title}</Link>
                </dt>
                <dd>{page.summary}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
