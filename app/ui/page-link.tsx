"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link to another page of the app. The page is fetched ahead once the link is pointed at or has the focus: a list of links
 * would otherwise ask the server for each of them whenever it is shown.
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
      // Null is the framework's own way.
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
