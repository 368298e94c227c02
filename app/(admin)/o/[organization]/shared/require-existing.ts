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
  return error instanceof Error && "code" in error && error.code === "NOT_FOUND";
}
