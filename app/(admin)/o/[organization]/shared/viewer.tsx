"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Me } from "@/server/domain/account/me";
import type { Capability } from "@/server/core/capabilities";
import type { OrganizationView } from "@/server/domain/organizations/read";

/** Who looks, and at which organization. */
export interface Viewer {
  readonly me: Me;
  readonly organization: OrganizationView;
}

const ViewerContext = createContext<Viewer | null>(null);

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new Error("A page of an organization is shown outside of its layout");
  return viewer;
}

/** Whether who looks may do that: what they may not is left out of the page. */
export function useMay(): (capability: Capability) => boolean {
  const { organization } = useViewer();
  return (capability) => organization.capabilities.includes(capability);
}

/** Returns true for a page that the viewer may open in this organization. */
export type MayOpen = (page: {
  readonly capability: Capability | null;
  readonly isOfDemo?: boolean;
}) => boolean;

/** Whether a page of the navigation is there for who looks, in this organization. */
export function useMayOpen(): MayOpen {
  const { organization } = useViewer();
  const may = useMay();
  return ({ capability, isOfDemo = false }) =>
    (capability === null || may(capability)) && (organization.isDemo || !isOfDemo);
}

/** The address of a page of this organization. */
export function usePath(): (page: string) => string {
  const { organization } = useViewer();
  return (page) => `/o/${organization.id}${page}`;
}
