"use client";

import { useSyncExternalStore } from "react";
import { useViewer } from "../shared/viewer";

const never = () => () => undefined;

/** Returns the URL at which programs reach this server: the configured one, else the origin of this page. */
export function useBaseUrl(): string {
  const { organization } = useViewer();
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => "",
  );
  return organization.publicUrl ?? origin;
}
