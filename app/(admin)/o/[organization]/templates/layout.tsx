import type { ReactNode } from "react";
import { Templates } from "./templates";

/** The list keeps its state while one of its templates is opened and closed. */
export default function TemplatesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Templates />
      {children}
    </>
  );
}
