import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import type { PageCaller } from "@/server/boot/runtime";

/**
 * Responds with 404 for an item that doesn’t exist or belongs to another organization. The page itself shows any other
 * error, with what to do.
 */
export async function requireExisting(
  organizationId: string,
  ask: (caller: PageCaller) => Promise<unknown>,
): Promise<void> {
  const runtime = await getRuntime();
  const caller = await runtime.pageCaller(await headers(), organizationId);
  if (await ask(caller).then(() => false, saysNotFound)) notFound();
}

function saysNotFound(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  if (error.code === "NOT_FOUND") return true;
  // The status of `thread_not_found` is the one for a request that sends.
  const { cause } = error;
  return cause instanceof Error && "code" in cause && cause.code === "thread_not_found";
}
