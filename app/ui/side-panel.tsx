"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { useWasOpen } from "./use-was-open";

export interface SidePanelProps {
  readonly title: string;
  /** The part of the page that is behind the panel. */
  readonly backTo?: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const Drawer = dynamic(() => import("./side-panel-drawer").then((module) => module.SidePanelDrawer));

/** Shows one item beside its list, or in place of it on a narrow screen. Escape and the button close it. */
export function SidePanel(props: SidePanelProps) {
  return useWasOpen(props.isOpen) ? <Drawer {...props} /> : null;
}
