import type { Config } from "@/server/platform/config";
import type { ErrorCode } from "@/server/platform/errors";
import { servedBy } from "@/server/platform/served-by";

/**
 * Where the documentation explains a code; null where no address of the pages is known.
 * @param ownUrl address of this process, used where `WAYPOST_PUBLIC_URL` isn't set and this process serves the pages.
 */
export function docUrl(
  { publicUrl, role }: Pick<Config, "publicUrl" | "role">,
  ownUrl: string | null,
  code: ErrorCode,
): string | null {
  const base = publicUrl ?? (servedBy(role, "/docs") ? ownUrl : null);
  return base === null ? null : `${base}/docs/errors#${code}`;
}
