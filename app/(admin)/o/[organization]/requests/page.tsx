import type { Metadata } from "next";

export const metadata: Metadata = { title: "API log" };

/** The layout renders everything. */
export default function RequestsPage() {
  return null;
}
