import type { PageCaller } from "@/server/boot/runtime";

/**
 * Returns the signed-in account; null if there is none. Other failures, such as of the database, are thrown, so that
 * they sign nobody out.
 */
export async function currentAccount({ account }: { readonly account: Pick<PageCaller["account"], "me"> }) {
  try {
    return await account.me();
  } catch (error) {
    if (saysSignedOut(error)) return null;
    throw error;
  }
}

/** A refused procedure carries tRPC’s code for its status. The only one of `me` with this code is `not_signed_in`. */
function saysSignedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNAUTHORIZED";
}
