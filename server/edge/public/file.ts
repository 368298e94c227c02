import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import { WaypostError } from "@/server/platform/errors";
import { FILE_BYTES_MAX } from "@/server/domain/uploads/file-type";
import { fileTooLarge } from "@/server/domain/uploads/receive";
import { checkContentEncoding } from "@/server/transport/body";
import type { PublicRequest } from "./handle";

/** @throws WaypostError `payload_too_large` if the declared length exceeds the largest limit of any file type. */
export function checkDeclaredFile(contentLength: string | undefined): void {
  if (contentLength !== undefined && Number(contentLength) > FILE_BYTES_MAX)
    throw fileTooLarge(FILE_BYTES_MAX);
}

/**
 * Returns the file that is the body of a request.
 * @throws WaypostError `unsupported_media_type` for a body that wraps the file: encoded, or a form.
 */
export function incomingFile(request: Pick<PublicRequest, "header" | "body">): IncomingFile {
  const contentType = request.header("content-type");
  checkContentEncoding(request.header("content-encoding"));
  if (/^\s*(multipart\/|application\/x-www-form-urlencoded)/i.test(contentType ?? "")) {
    throw new WaypostError("unsupported_media_type", {
      message: "Send the file itself as the body, with its own `Content-Type`, not as a form.",
    });
  }
  const contentLength = request.header("content-length");
  return {
    chunks: () => request.body(),
    contentType,
    filename: readFilename(request.header("x-filename")),
    declaredBytes: contentLength === undefined ? undefined : Number(contentLength),
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads percent-encoded UTF-8. Another name is used as it is: as UTF-8 if its bytes are valid, else as Latin-1. */
function readFilename(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    return decodeURIComponent(asUtf8(header));
  } catch {
    return asUtf8(header);
  }
}

/** Node decodes header values as Latin-1, one character for each byte. */
function asUtf8(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
