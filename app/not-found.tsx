import type { Metadata } from "next";
import Link from "next/link";
import { Notice } from "@/app/ui/notice";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <Notice title="There is no page at this URL">
      <p>
        Check the URL, or go to the <Link href="/">start page</Link>.
      </p>
    </Notice>
  );
}
