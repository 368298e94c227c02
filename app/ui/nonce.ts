import { headers } from "next/headers";

/** The nonce of the answer that is being made; server/edge/http sets it for every page. */
export async function pageNonce(): Promise<string> {
  return (await headers()).get("x-nonce") ?? "";
}
