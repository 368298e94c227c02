"use client";

import { useParams, useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { SidePanel } from "@/app/ui/side-panel";
import { isFocusLost } from "@/app/ui/focus";
import { useListPath } from "./viewer";

/** Shows the item that the URL names in a panel over the list. Closing it restores the list. */
export function ListPanel({
  list,
  param,
  title,
  children,
}: {
  /** The list's path below the organization's path. */
  list: string;
  /** The URL parameter that names the item. */
  param: string;
  title: string;
  children: (id: string) => ReactNode;
}) {
  const id = useParams<Record<string, string | undefined>>()[param];
  const path = useListPath();
  const router = useRouter();
  // When one item links to another, the element that opened the panel no longer exists.
  useEffect(() => {
    const panel = document.querySelector("[aria-modal=true]");
    if (id !== undefined && isFocusLost() && panel instanceof HTMLElement) panel.focus();
  }, [id]);
  const close = () => router.push(path(list), { scroll: false });
  return (
    <SidePanel title={title} isOpen={id !== undefined} onClose={close}>
      {id === undefined ? null : children(id)}
    </SidePanel>
  );
}
