import type { MouseEvent } from "react";

/** Elements with a meaning of their own. */
const OWN_MEANING = "a, button, input, select, textarea, label, summary, [role=menuitem], [role=switch]";
const MIDDLE = 1;

/**
 * Opens a row's first link for a click anywhere in the row, in a new tab for a middle click or with Ctrl, Cmd or Shift.
 * A selection of text isn't a click, and links and buttons keep their own meaning. The keyboard uses the link itself.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const link = linkFor(event);
  if (link === null || (event.type === "auxclick" && event.button !== MIDDLE)) return;
  if (window.getSelection()?.isCollapsed === false) return;
  if (event.button === MIDDLE || event.ctrlKey || event.metaKey || event.shiftKey) {
    window.open(link.href, "_blank", "noopener");
    return;
  }
  // A panel that the link opens returns the focus to it.
  link.focus({ preventScroll: true });
  link.click();
}

/** Keeps a middle click in a row from scrolling the page. */
export function holdRow(event: MouseEvent<HTMLTableRowElement>): void {
  if (event.button === MIDDLE && linkFor(event) !== null) event.preventDefault();
}

/** Returns the link that a click at this place opens; null if the place has another meaning. */
function linkFor({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): HTMLAnchorElement | null {
  // React also reports clicks in dialogs that a row opened, which are elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return null;
  return target.closest(OWN_MEANING) === null ? currentTarget.querySelector("a[href]") : null;
}
