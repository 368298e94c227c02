/** As a ref: takes the focus when it appears, where what had it before is gone. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
