"use client";

import PageError from "@/app/error";
import "@/app/ui/base.css";

/** The fallback for a failing layout, so it has to provide its own document. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>This page couldn’t be loaded · Waypost</title>
        <PageError {...props} />
      </body>
    </html>
  );
}
