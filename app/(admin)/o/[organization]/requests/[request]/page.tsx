import type { Metadata } from "next";

export const metadata: Metadata = { title: "Refused request" };

/** The layout shows the request that the URL names. */
export default function RequestPage() {
  return null;
}
