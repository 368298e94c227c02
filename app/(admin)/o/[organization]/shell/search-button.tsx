"use client";

import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useHotkeys, useOs, useWindowEvent } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { IconSearch } from "@/app/ui/icons";

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

/** Keys typed before the field existed. */
export interface EarlyTyping {
  readonly text: string;
  readonly isEntered: boolean;
}

const NOTHING: EarlyTyping = { text: "", isEntered: false };

/**
 * Collects what the user types between requesting a field and its appearance, so that no letter is lost or reaches the
 * page behind. Escape cancels the request.
 * @returns the text typed so far, once. From then on keys go to the focused element.
 */
function useEarlyTyping(isAwaited: boolean, giveUp: () => void): () => EarlyTyping {
  const typed = useRef(NOTHING);
  const isTaken = useRef(false);
  const latestGiveUp = useRef(giveUp);
  useEffect(() => {
    latestGiveUp.current = giveUp;
  });
  useEffect(() => {
    if (!isAwaited) return undefined;
    const keep = (event: KeyboardEvent) => {
      if (isTaken.current || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") latestGiveUp.current();
      else typed.current = after(typed.current, event.key);
    };
    window.addEventListener("keydown", keep, { capture: true });
    return () => {
      window.removeEventListener("keydown", keep, { capture: true });
      typed.current = NOTHING;
      isTaken.current = false;
    };
  }, [isAwaited]);
  return () => {
    isTaken.current = true;
    return typed.current;
  };
}

function after({ text, isEntered }: EarlyTyping, key: string): EarlyTyping {
  if (key === "Enter") return { text, isEntered: text !== "" };
  if (key === "Backspace") return { text: text.slice(0, -1), isEntered: false };
  return key.length === 1 ? { text: text + key, isEntered: false } : { text, isEntered };
}
