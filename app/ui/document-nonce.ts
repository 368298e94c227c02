/**
 * The nonce that styles and scripts must carry to be taken: that of the answer which the document came with, whatever
 * pages were gone to since. Null on the server.
 */
export function documentNonce(): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? null;
}

/** Publishes the nonce under the name by which libraries that create style sheets look for it. */
export function shareNonceWithLibraries(): void {
  Object.assign(globalThis, { __webpack_nonce__: documentNonce() });
}
