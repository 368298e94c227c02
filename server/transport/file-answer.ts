import { cleanFilename } from "@/server/adapters/files/filename";
import type { StoredFile } from "@/server/adapters/files/store";
import type { GivenFile } from "@/server/core/context";
import type { PublicResponse } from "./envelope";

/** Extensions for files without a name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "audio/aac": ".aac",
  "audio/amr": ".amr",
  "audio/mp4": ".m4a",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "image/gif": ".gif",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
  "text/plain": ".txt",
  "video/3gpp": ".3gp",
  "video/mp4": ".mp4",
};

/**
 * Returns the headers of a response with a file from somebody else. No browser runs anything in it, whatever it
 * contains: it has the type of its bytes, and a sandbox.
 * @param disposition `inline` only for types that can't contain a program.
 */
export function fileHeaders(
  { file, mimeType, filename, fallbackName }: GivenFile,
  disposition: "attachment" | "inline" = "attachment",
): Record<string, string> {
  const name = cleanFilename(filename ?? undefined) ?? fallbackName + (EXTENSIONS[mimeType] ?? "");
  return {
    "Content-Type": mimeType,
    "Content-Length": String(file.size),
    "Content-Disposition": `${disposition}; ${filenames(name)}`,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
}

/** RFC 6266: a name in ASCII, and the real one for everyone who can read it. */
function filenames(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name ? `filename="${name}"` : `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Returns the response with the file in place of its body. */
export function withFile(response: PublicResponse, given: GivenFile): PublicResponse {
  return { ...response, headers: fileHeaders(given), body: "", file: given.file };
}

/** Opens a file as a body of the Fetch API. It is read as fast as its reader consumes it. */
export function bodyOf(file: StoredFile): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= file.read()[Symbol.asyncIterator]();
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
