"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";

export interface SidePanelProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const Drawer = dynamic(() => import("./side-panel-drawer").then((module) => module.SidePanelDrawer));

/**
 * Shows one item beside its list, or in place of it on a narrow screen. Escape and the button close it. Loaded when it
 * is first opened. Stays mounted from then on, so that it can restore the focus.
 */
export function SidePanel(props: SidePanelProps) {
  const [isNeeded, setIsNeeded] = useState(props.isOpen);
  if (props.isOpen && !isNeeded) setIsNeeded(true);
  return isNeeded ? <Drawer {...props} /> : null;
}
