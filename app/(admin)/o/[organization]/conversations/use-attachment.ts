import { useEffect, useRef, useState } from "react";
import { Refused, refusalIn } from "@/app/ui/api-error";
import { useActionWith } from "@/app/ui/use-action";
import { useViewer } from "../shared/viewer";
import { type FileType, fileTypeOf, sizeWords } from "./words";

/** A file that is uploaded and not sent yet. */
export interface Attachment {
  readonly storageKey: string;
  readonly type: FileType;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The largest file that WhatsApp takes of any type. The server checks the limit of each type. */
const BYTES_MAX = 100 * 1024 * 1024;

/** Uploads one file as soon as it is chosen. Removing it, or leaving the conversation, ends the upload. */
export function useAttachment({ onUploaded }: { onUploaded: (attachment: Attachment) => void }) {
  const { organization } = useViewer();
  const [uploading, setUploading] = useState<{ file: File; percent: number } | null>(null);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const act = useActionWith(async (file: File) => {
    const ender = new AbortController();
    aborter.current = ender;
    setUploading({ file, percent: 0 });
    try {
      const attachment = await upload(file, organization.id, {
        signal: ender.signal,
        onProgress: (percent) => setUploading({ file, percent }),
      });
      if (attachment !== null) onUploaded(attachment);
    } finally {
      setUploading(null);
    }
  });
  return {
    uploading,
    fault: act.faultBeside(),
    choose: act.run,
    cancel: () => aborter.current?.abort(),
    forget: act.forget,
  };
}

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

/**
 * Uploads a file by the session. `fetch` doesn't report the progress of a request's body.
 * @returns null if it was ended by the signal.
 */
async function upload(
  file: File,
  organizationId: string,
  { signal, onProgress }: Watch,
): Promise<Attachment | null> {
  if (file.size > BYTES_MAX) throw tooLarge(file.size);
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ organization: organizationId }).toString();
  request.open("POST", `/api/files?${query}`);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", file.type === "" ? "application/octet-stream" : file.type);
  request.setRequestHeader("X-Filename", encodeURIComponent(file.name));
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    onProgress(total === 0 ? 0 : Math.round((100 * loaded) / total)),
  );
  signal.addEventListener("abort", () => request.abort());
  const ended = new Promise<void>((resolve) => request.addEventListener("loadend", () => resolve()));
  request.send(file);
  await ended;
  if (signal.aborted) return null;
  const body: unknown = request.response;
  if (request.status !== 201 || !isUpload(body))
    throw withOwnRemedy(refusalIn(body, request.getResponseHeader("X-Request-Id")));
  const { storage_key: storageKey, mime_type: mimeType, size } = body;
  return { storageKey, type: fileTypeOf(mimeType), name: file.name, size };
}

interface Upload {
  readonly storage_key: string;
  readonly mime_type: string;
  readonly size: number;
}

function isUpload(body: unknown): body is Upload {
  return (
    typeof body === "object" &&
    body !== null &&
    "storage_key" in body &&
    "mime_type" in body &&
    "size" in body
  );
}

/** For whoever chose the file. The catalogue's remedies are about files that an integration sends. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_media:
    "Choose another file: a picture (JPEG or PNG), a sticker (WebP), a video (MP4 or 3GP), an audio file, a PDF, a text or an Office document.",
  payload_too_large: "Choose a smaller file, or send a link to it.",
  validation_failed: "Choose another file.",
};

function withOwnRemedy(error: Error): Error {
  if (!(error instanceof Refused)) return error;
  const { fault } = error;
  return new Refused({ ...fault, remedy: REMEDIES[fault.code ?? ""] ?? fault.remedy });
}

/** Before the upload, because the server ends one that is too large, and browsers then report a lost connection. */
function tooLarge(size: number): Refused {
  return new Refused({
    code: "payload_too_large",
    message: `The file has ${sizeWords(size)}. WhatsApp takes files of at most ${sizeWords(BYTES_MAX)}.`,
    field: null,
    others: [],
    remedy: REMEDIES.payload_too_large ?? null,
    requestId: null,
  });
}
