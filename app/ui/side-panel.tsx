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
 * One thing of a list, beside the list, and on a narrow screen in its place. Escape and the button lead back to it. Loaded
 * when it is first opened, and kept from then on, so that it gives the focus back.
 */
export function SidePanel(props: SidePanelProps) {
  const [isNeeded, setIsNeeded] = useState(props.isOpen);
  if (props.isOpen && !isNeeded) setIsNeeded(true);
  return isNeeded ? <Drawer {...props} /> : null;
}
