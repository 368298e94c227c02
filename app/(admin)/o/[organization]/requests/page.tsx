import type { Metadata } from "next";

export const metadata: Metadata = { title: "Requests" };

/** The layout renders everything. */
export default function RequestsPage() {
  return null;
}
