import type { ReactNode } from "react";
import { Templates } from "./templates";

/** The list stays as it is while a template of it is opened and closed. */
export default function TemplatesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Templates />
      {children}
    </>
  );
}
