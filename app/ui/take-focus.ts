/** A ref callback that focuses an element when it appears, for use when the previously focused element is gone. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
