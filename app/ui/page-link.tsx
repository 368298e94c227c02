"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link to another page of the app. The page is prefetched only when the link is hovered or focused: otherwise a list
 * of links would send a request for each of them whenever it is shown.
 */
export function PageLink({
  onPointerEnter,
  onFocus,
  ...link
}: Omit<ComponentProps<typeof Link>, "prefetch">) {
  const [isNear, setIsNear] = useState(false);
  return (
    <Link
      {...link}
      // Null means Next's default.
      prefetch={isNear ? null : false}
      onPointerEnter={(event) => {
        setIsNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setIsNear(true);
        onFocus?.(event);
      }}
    />
  );
}
