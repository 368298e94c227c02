import type { Metadata } from "next";
import article from "../parts/article.module.css";
import { searchPages } from "../content/pages";
import styles from "./search.module.css";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

interface SearchPageProps {
  readonly searchParams: Promise<{ readonly q?: string | string[] }>;
}

/** The results of the search box for a browser without JavaScript, and for a link to them. */
export default async function SearchPage({ searchParams }: SearchPageProps) {
  const { q } = await searchParams;
  const query = (typeof q === "string" ? q : (q?.[0] ?? "")).slice(0, QUERY_CHARACTERS_MAX);
  const results = await searchPages(query);
  return (
    <div className={article.article}>
      <h1>Search</h1>
      <p>
        {query === ""
          ? "Enter words, an error code or one of WhatsApp’s codes in the search box."
          : `${results.length === 0 ? "No" : results.length} results for “${query}”.`}
      </p>
      <ol className={styles.results}>
        {results.map(({ href, title, page, excerpt }) => (
          <li key={href}>
            {/* The browser itself opens a collapsed section that contains the target. */}
            <a href={href}>{title}</a>
            <p className={styles.page}>{page}</p>
            <p>{excerpt}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

const QUERY_CHARACTERS_MAX = 200;
