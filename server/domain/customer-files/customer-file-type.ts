import { bytesMaxOf, declaredType, examine, foundType, isPossible } from "@/server/domain/uploads/file-type";

/** Types that customers can send and organizations can't. */
const FURTHER_TYPES: ReadonlySet<string> = new Set(["image/webp", "image/gif"]);
const UNKNOWN = "application/octet-stream";

/**
 * Returns the type of a customer's file by its bytes. The declared type only decides between types that look the same.
 * @returns `application/octet-stream` for a type that isn't one of the known, harmless ones.
 */
export async function customerFileType(
  path: string,
  declared: { readonly mimeType: string | null; readonly filename: string | null },
): Promise<string> {
  const evidence = await examine(path);
  const said = declaredType(declared.mimeType ?? undefined);
  const type = said !== null && isPossible(said, evidence) ? said : foundType(evidence, declared.filename);
  return type !== null && isKnown(type) ? type : UNKNOWN;
}

const isKnown = (type: string) => bytesMaxOf(type) !== null || FURTHER_TYPES.has(type);
