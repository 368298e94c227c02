import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "@/app/ui/base.css";

export const metadata: Metadata = {
  title: { default: "Waypost", template: "%s · Waypost" },
  description: "Customer messaging over WhatsApp",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbf9" },
    { media: "(prefers-color-scheme: dark)", color: "#131614" },
  ],
};

/** A nonce of the content security policy belongs to one response, so no page can be rendered at build time. */
export const dynamic = "force-dynamic";

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
