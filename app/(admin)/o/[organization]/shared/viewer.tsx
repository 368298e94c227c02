"use client";

import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext } from "react";
import type { Me } from "@/server/domain/account/me";
import type { Capability } from "@/server/core/capabilities";
import type { OrganizationView } from "@/server/domain/organizations/read";

/** The signed-in user and the organization being viewed. */
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

/** Returns a check for the viewer's capabilities. Pages leave out what the viewer may not do. */
export function useMay(): (capability: Capability) => boolean {
  const { organization } = useViewer();
  return (capability) => organization.capabilities.includes(capability);
}

/** Returns true for a page that the viewer may open in this organization. */
export type MayOpen = (page: {
  readonly capability: Capability | null;
  readonly isOfDemo?: boolean;
}) => boolean;

/** Returns a check that says whether the viewer may open a page of the navigation in this organization. */
export function useMayOpen(): MayOpen {
  const { organization } = useViewer();
  const may = useMay();
  return ({ capability, isOfDemo = false }) =>
    (capability === null || may(capability)) && (organization.isDemo || !isOfDemo);
}

/** Returns a function that builds the path of a page of this organization. */
export function usePath(): (page: string) => string {
  const { organization } = useViewer();
  return (page) => `/o/${organization.id}${page}`;
}

/** The same for a page that belongs to the current list: the path keeps the list's filters and position. */
export function useListPath(): (page: string) => string {
  const path = usePath();
  const search = useSearchParams().toString();
  return (page) => path(search === "" ? page : `${page}?${search}`);
}
