import { ColorSchemeScript } from "@mantine/core";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Interface } from "@/app/ui/interface";
import { pageNonce } from "@/app/ui/nonce";
import "@/app/ui/mantine.css";
import styles from "./auth.module.css";

export const metadata: Metadata = { robots: { index: false } };

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const nonce = await pageNonce();
  return (
    <>
      <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      <Interface nonce={nonce}>
        <main className={styles.page}>
          <p className={styles.name}>Waypost</p>
          {children}
        </main>
      </Interface>
    </>
  );
}
