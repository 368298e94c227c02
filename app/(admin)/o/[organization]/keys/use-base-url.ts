"use client";

import { useSyncExternalStore } from "react";
import { useViewer } from "../shared/viewer";

const never = () => () => undefined;

/** Where programs reach this server: the configured address, else the one that this page came from. */
export function useBaseUrl(): string {
  const { organization } = useViewer();
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => "",
  );
  return organization.publicUrl ?? origin;
}
