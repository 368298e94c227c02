import { useState } from "react";

/**
 * Returns whether a dialog has ever been open. Its code is loaded when it is first opened. It stays mounted from then
 * on, so that it can restore the focus.
 */
export function useWasOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen;
}
