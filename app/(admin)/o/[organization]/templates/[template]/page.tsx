import type { Metadata } from "next";

export const metadata: Metadata = { title: "Template" };

/** The layout shows the template that the address names. */
export default function TemplatePage() {
  return null;
}
