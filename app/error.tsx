"use client";

import { Notice } from "@/app/ui/notice";

/** Shown in place of a page whose rendering failed; the digest is the one the server wrote to its log. */
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
