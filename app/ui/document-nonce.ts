/**
 * Returns the nonce that styles and scripts need: that of the response that delivered the document, even after
 * client-side navigation. Null on the server.
 */
export function documentNonce(): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? null;
}

/** Publishes the nonce under the name that libraries which create style sheets look for. */
export function shareNonceWithLibraries(): void {
  Object.assign(globalThis, { __webpack_nonce__: documentNonce() });
}
