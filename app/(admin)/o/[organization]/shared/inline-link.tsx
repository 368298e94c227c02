"use client";

import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "@/app/ui/page-link";
import { usePath } from "./viewer";

/** A link within words to a page of the organization: underlined, since colour alone tells not everybody. */
export function InlineLink({
  to,
  scroll,
  children,
}: {
  /** Such as `/keys`. */
  to: string;
  /** Whether the page begins at its top. */
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
