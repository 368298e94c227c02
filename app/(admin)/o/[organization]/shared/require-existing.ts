import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import type { PageCaller } from "@/server/boot/runtime";

/**
 * Answers 404 in place of the page of a thing that isn’t there, or is another organization’s. Any other refusal the page
 * itself shows, with what to do.
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
