"use client";

import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  MantineProvider,
} from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { documentNonce, shareNonceWithLibraries } from "./document-nonce";

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

const green: MantineColorsTuple = [
  "#e9f6f0",
  "#d5ebe2",
  "#a9d7c4",
  "#7ac3a4",
  "#54b38a",
  "#3ba979",
  "#2ca36f",
  "#17805a",
  "#0b6b4f",
  "#06573f",
];

const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

const theme = createTheme({
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: MONO,
  colors: { green },
  primaryColor: "green",
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // By name: importing the components would have every page load the code of dialogs.
  components: {
    // The placeholder would be a child of the menu that isn’t one of its items (ARIA’s menu pattern).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { styles: { title: { fontSize: "1.125rem", fontWeight: 650 } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
  headings: { fontWeight: "650", sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" } } },
});

/**
 * The colours of base.css, and text colours with a contrast of 4.5 to 1 where Mantine's own fall short (WCAG 1.4.3).
 */
const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfbf9",
    "--mantine-color-text": "#1a1f1c",
    "--mantine-color-dimmed": "#555d58",
    "--mantine-color-placeholder": "#69716c",
    "--mantine-color-default-border": "#dcdfd9",
    "--mantine-color-error": "#a3261b",
    "--mantine-color-anchor": "#0b6b4f",
    // The background of code, which Mantine's own grey hardly shows.
    "--mantine-color-gray-0": "#f1f2ee",
    "--mantine-color-yellow-light-color": "#854900",
  },
  dark: {
    "--mantine-color-body": "#131614",
    "--mantine-color-text": "#e9ece9",
    "--mantine-color-dimmed": "#a3aca6",
    "--mantine-color-placeholder": "#8d968f",
    "--mantine-color-default": "#1c211e",
    "--mantine-color-default-hover": "#252b27",
    "--mantine-color-default-border": "#343b36",
    "--mantine-color-error": "#f3a59b",
    "--mantine-color-anchor": "#63d3aa",
    // A notice must be lighter than the page, as notices in other colours are.
    "--mantine-color-gray-light": "#252b27",
    // Fields, code and similar elements use Mantine's shades 6 and 5, which are a different grey.
    "--mantine-color-dark-5": "#252b27",
    "--mantine-color-dark-6": "#1c211e",
    "--mantine-color-dark-4": "#343b36",
    "--mantine-color-dark-7": "#171b19",
  },
});
