import type { PageCaller } from "@/server/boot/runtime";

/** Null for nobody. Whatever else fails, such as the database, is thrown: nobody is signed out by it. */
export async function whoIsSignedIn({ account }: { readonly account: Pick<PageCaller["account"], "me"> }) {
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
