"use client";

import { Alert } from "@mantine/core";
import { useOffline } from "next/offline";
import styles from "./shell.module.css";

/** Answers of a proxy, or of a process that starts or stops: nothing is wrong with the page that was asked for. */
const AWAY = new Set([502, 503, 504]);
/** The framework's header of its requests for pages. */
const PAGE_REQUEST = "rsc";

/**
 * The framework keeps the page, and tries again, where a request for another page fails; where it is answered with an error,
 * the framework leaves the app for it. An answer that only says that the server is away therefore counts as a failure.
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

/** Says that another page can't be opened at the moment. The framework asks for it every few seconds. */
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
