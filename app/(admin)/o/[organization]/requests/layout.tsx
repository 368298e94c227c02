import type { ReactNode } from "react";
import { Requests } from "./requests";

/** The list keeps its state while one of its requests is opened and closed. */
export default function RequestsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Requests />
      {children}
    </>
  );
}
