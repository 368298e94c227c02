import { headers } from "next/headers";

/** Returns the nonce of the current response. server/edge/http sets it for every page. */
export async function pageNonce(): Promise<string> {
  return (await headers()).get("x-nonce") ?? "";
}
