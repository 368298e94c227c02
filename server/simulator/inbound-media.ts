import { demoFile } from "./demo-files";
import { mediaBytesMax, type Media } from "./media";
import type { SimulatorContext } from "./simulator-context";

/** The content of a message with a file, as the test gave it. */
export interface MediaContent {
  /** Of any type, as a test of wrong callbacks wants it. */
  readonly id?: unknown;
  readonly mime_type: string;
}

/** SHA-256 of an empty file, in base64 as in Meta's examples. */
const emptyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/**
 * Stores the file that a customer sent, and returns the content with its id and its hash. The file is `base64`, or the
 * upload that the content's `id` names, or else a small one of its type. An `id` that is no upload stays as it is:
 * nothing can be downloaded with it.
 */
export async function storeCustomerFile(
  context: SimulatorContext,
  {
    phoneNumberId,
    content,
    base64,
  }: { phoneNumberId: string; content: MediaContent; base64: string | undefined },
): Promise<object> {
  if (content.id !== undefined) {
    const upload = typeof content.id === "string" ? context.media.get(content.id) : null;
    return upload?.phone_number_id === phoneNumberId
      ? { ...content, ...describe(upload) }
      : { sha256: emptyHash, ...content };
  }
  const bytes = base64 === undefined ? demoFile(content.mime_type) : Buffer.from(base64, "base64");
  const draft = await context.media.files.write([bytes], mediaBytesMax);
  if (draft === null) throw new Error("a request of 1 MB can't contain a file this large");
  const mime_type = content.mime_type;
  const media = await context.media.add(draft, { phone_number_id: phoneNumberId, mime_type }, "customer");
  return { ...describe(media), ...content };
}

function describe({ id, mime_type, sha256 }: Media): object {
  return { id, mime_type, sha256: Buffer.from(sha256, "hex").toString("base64") };
}
