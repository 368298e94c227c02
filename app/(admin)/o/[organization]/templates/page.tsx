import type { Metadata } from "next";

export const metadata: Metadata = { title: "Templates" };

/** The layout renders everything. */
export default function TemplatesPage() {
  return null;
}
