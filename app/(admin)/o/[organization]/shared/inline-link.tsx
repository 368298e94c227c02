"use client";

import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "@/app/ui/page-link";
import { usePath } from "./viewer";

/** An inline link to a page of the organization. It is underlined, because not everybody can see its colour. */
export function InlineLink({
  to,
  scroll,
  children,
}: {
  /** The path, such as `/keys`. */
  to: string;
  /** If true, the page scrolls to the top when the user follows the link. */
  scroll?: boolean;
  children: ReactNode;
}) {
  const path = usePath();
  return (
    <Anchor inherit underline="always" component={PageLink} href={path(to)} scroll={scroll}>
      {children}
    </Anchor>
  );
}
