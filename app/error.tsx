"use client";

import { Notice } from "@/app/ui/notice";

/** Shown if a page failed to render. The digest is the one in the server's log. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Notice title="This page couldn’t be loaded">
      <p>
        Something failed on our side.
        {error.digest ? (
          <>
            {" "}
            Reference in the log: <code>{error.digest}</code>.
          </>
        ) : null}
      </p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </Notice>
  );
}
