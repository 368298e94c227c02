"use client";

import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useHotkeys, useOs, useWindowEvent } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { useEarlyTyping } from "./use-early-typing";

/** Not part of a page’s first load: the module is loaded shortly before it is needed. */
const load = () => import("./quick-search");
const QuickSearch = dynamic(() => load().then((module) => module.QuickSearch), { ssr: false });

/** The shortcut also works inside text fields: Ctrl+K types nothing. */
const NO_TAGS: string[] = [];

/** Opens the search over all pages, by mouse or by Ctrl+K (Cmd+K). `/` focuses the search of the page itself. */
export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<Element>(null);
  const isMac = useOs() === "macos";
  const open = () => {
    // A dialog may show a value that is shown only once, or hold unsaved input.
    if (document.querySelector("[aria-modal=true]") !== null) return;
    opener.current = document.activeElement;
    setIsOpen(true);
  };
  // Restores the focus: the dialog was loaded only just now and doesn't know the previous element.
  useEffect(() => {
    if (!isOpen && opener.current instanceof HTMLElement) opener.current.focus();
  }, [isOpen]);
  const takeTyped = useEarlyTyping(isOpen, () => setIsOpen(false));
  useHotkeys([["mod+K", open]], NO_TAGS, true);
  useWindowEvent("keydown", ({ key }) => {
    // Ctrl or Cmd may be followed by K, so the module is loaded early. If loading fails, it is retried on opening.
    if (key === "Control" || key === "Meta") load().catch(() => undefined);
  });
  useHotkeys([["/", focusPageSearch]]);
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        fw={400}
        fz="sm"
        visibleFrom="sm"
        onClick={open}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{isMac ? "⌘ K" : "Ctrl K"}</Kbd>}
        aria-keyshortcuts="Control+K Meta+K"
      >
        Search
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        onClick={open}
        aria-label="Search"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isOpen ? <QuickSearch takeTyped={takeTyped} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function focusPageSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-page-search]");
  field?.focus();
  field?.select();
}
