"use client";

import { useParams, useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { SidePanel } from "@/app/ui/side-panel";
import { isFocusLost } from "@/app/ui/use-focus-kept";
import { usePath } from "./viewer";

/** The thing of a list that the address names, over the list; closed, the list is as it was. */
export function ListPanel({
  list,
  param,
  title,
  children,
}: {
  /** Below the organization's own address. */
  list: string;
  /** The part of the address that names it. */
  param: string;
  title: string;
  children: (id: string) => ReactNode;
}) {
  const id = useParams<Record<string, string | undefined>>()[param];
  const path = usePath();
  const router = useRouter();
  const search = useSearchParams().toString();
  // Where one thing leads to another, what led there is gone.
  useEffect(() => {
    const panel = document.querySelector("[aria-modal=true]");
    if (id !== undefined && isFocusLost() && panel instanceof HTMLElement) panel.focus();
  }, [id]);
  const close = () => router.push(path(`${list}${search === "" ? "" : `?${search}`}`), { scroll: false });
  return (
    <SidePanel title={title} isOpen={id !== undefined} onClose={close}>
      {id === undefined ? null : children(id)}
    </SidePanel>
  );
}
