import type { Metadata } from "next";

export const metadata: Metadata = { title: "Requests" };

/** All of it is in the layout. */
export default function RequestsPage() {
  return null;
}
