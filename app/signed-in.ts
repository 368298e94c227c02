import type { PageCaller } from "@/server/boot/runtime";

/**
 * The account that is signed in; null when there is none. Other failures, such as of the database, are thrown, so
 * that they sign nobody out.
 */
export async function currentAccount({ account }: { readonly account: Pick<PageCaller["account"], "me"> }) {
  try {
    return await account.me();
  } catch (error) {
    if (saysSignedOut(error)) return null;
    throw error;
  }
}

/** A procedure’s refusal carries tRPC’s word for its status; of `me` only `not_signed_in` is this one. */
function saysSignedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNAUTHORIZED";
}
