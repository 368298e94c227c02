import type { Config } from "@/server/platform/config";
import type { ErrorCode } from "@/server/platform/errors";
import { servedBy } from "@/server/platform/served-by";

/**
 * Returns the documentation page of an error code. Null while no address of the documentation is known.
 * @param ownUrl address of this process. Used if `WAYPOST_PUBLIC_URL` isn't set and this process serves the pages.
 */
export function docUrl(
  { publicUrl, role }: Pick<Config, "publicUrl" | "role">,
  ownUrl: string | null,
  code: ErrorCode,
): string | null {
  const base = publicUrl ?? (servedBy(role, "/docs") ? ownUrl : null);
  return base === null ? null : `${base}/docs/errors#${code}`;
}
