"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { documentNonce, shareNonceWithLibraries } from "./document-nonce";
import { cssVariables, theme } from "./theme";

if (typeof document !== "undefined") shareNonceWithLibraries();

/** The providers around every page of the admin app. Styles created in the browser carry the page's nonce. */
export function Interface({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => documentNonce() ?? nonce}
      deduplicateCssVariables={false}
    >
      <NuqsAdapter>
        <Notifications position="bottom-right" />
        {children}
      </NuqsAdapter>
    </MantineProvider>
  );
}
