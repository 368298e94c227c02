"use client";

import { Alert } from "@mantine/core";
import { useOffline } from "next/offline";
import styles from "./shell.module.css";

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
export function Away() {
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
