import type { ReactNode } from "react";
import { Requests } from "./requests";

/** The list stays as it is while a request of it is opened and closed. */
export default function RequestsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Requests />
      {children}
    </>
  );
}
