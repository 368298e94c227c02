"use client";

import PageError from "@/app/error";
import "@/app/ui/base.css";

/** The last resort, when the layout itself failed: it has to bring its own document. */
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
