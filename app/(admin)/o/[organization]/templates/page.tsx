import type { Metadata } from "next";

export const metadata: Metadata = { title: "Templates" };

/** All of it is in the layout. */
export default function TemplatesPage() {
  return null;
}
