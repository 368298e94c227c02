import type { IncomingMessage, ServerResponse } from "node:http";
import { isAnimatedWebp, signatureBytes } from "./file-signatures";
import { callerError } from "./numbers";
import { invalidParameter, type GraphError } from "./graph-errors";
import { accessToken, sendGraphError, sendJson } from "./http";
import { downloadUrlOf } from "./media-download";
import type { DraftFile } from "./media-files";
import { mediaBytesMax, mediaKindOf, mediaKinds, staticStickerBytesMax, type Media } from "./media";
import { boundaryOf, MultipartError, readForm, type FormPart } from "./multipart";
import type { SimulatorContext } from "./simulator-context";

interface UploadedFile extends DraftFile {
  readonly contentType: string | null;
}

/** Content of a form: the small fields by name, and the file. */
interface UploadForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly file: UploadedFile | null;
}

const fieldBytesMax = 1024;
const partsMax = 20;

/**
 * `POST /v{N}.{M}/{phone_number_id}/media`: a form with messaging_product, type and file. Responds with `{ id }` when
 * the file and its description are on disk.
 */
export async function postMedia(
  context: SimulatorContext,
  phoneNumberId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const number = context.numbers.get(phoneNumberId);
  const error = callerError(context, number, accessToken(request));
  if (error !== null) {
    // A response in the middle of a large upload would be lost with its connection.
    await drain(request);
    return sendGraphError(response, error);
  }
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary === null) {
    return sendGraphError(response, invalidParameter("The request body must be multipart/form-data."));
  }
  const drafts: DraftFile[] = [];
  try {
    const upload = await receiveUpload(context, { request, boundary, drafts });
    if ("error" in upload) return sendGraphError(response, upload);
    const { mime_type, file } = upload;
    const { id } = await context.media.add(file, { phone_number_id: phoneNumberId, mime_type }, "upload");
    sendJson(response, 200, { id });
  } finally {
    await Promise.all(drafts.map((draft) => context.media.files.discard(draft)));
  }
}

/** `GET /v{N}.{M}/{media_id}`, only with the number's own token. Returns the URL of the file. */
export function getMedia(
  context: SimulatorContext,
  media: Media,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const number = context.numbers.get(media.phone_number_id);
  const error = callerError(context, number, accessToken(request));
  if (error !== null || number === null)
    return sendGraphError(response, error ?? { error: "object_unknown" });
  const { id, mime_type, sha256, file_size } = media;
  const url = downloadUrlOf(context, media, { number, request });
  sendJson(response, 200, { messaging_product: "whatsapp", url, mime_type, sha256, file_size, id });
}

/** `DELETE /v{N}.{M}/{media_id}`. */
export async function deleteMedia(
  context: SimulatorContext,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const media = context.media.get(id);
  const number = media === null ? null : context.numbers.get(media.phone_number_id);
  const error = callerError(context, number, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  await context.media.forget(id);
  sendJson(response, 200, { success: true });
}

interface FormSource {
  readonly request: IncomingMessage;
  readonly boundary: string;
  /** Receives the files that were written. */
  readonly drafts: DraftFile[];
}

async function receiveUpload(context: SimulatorContext, source: FormSource): Promise<Upload | GraphError> {
  try {
    const form = await readUpload(context, source);
    return "error" in form ? form : await checkUpload(context, form);
  } catch (error) {
    if (error instanceof MultipartError) return invalidParameter(`The form can't be read: ${error.message}.`);
    throw error;
  }
}

async function readUpload(
  context: SimulatorContext,
  { request, boundary, drafts }: FormSource,
): Promise<UploadForm | GraphError> {
  const fields = new Map<string, string>();
  let file: UploadedFile | null = null;
  let parts = 0;
  for await (const part of readForm(request as AsyncIterable<Buffer>, boundary)) {
    parts += 1;
    if (parts > partsMax) return invalidParameter("The form has too many parts.");
    if (part.filename === null) {
      const value = await readField(part);
      if (value === null) return invalidParameter(`The field ${part.name.slice(0, 40)} is too long.`);
      fields.set(part.name, value);
      continue;
    }
    if (part.name !== "file" || file !== null)
      return invalidParameter("The form must have one file, named file.");
    const draft = await context.media.files.write(part.body, mediaBytesMax);
    if (draft === null)
      return { error: "media_upload_failed", details: "The file is larger than any type may be." };
    drafts.push(draft);
    file = { ...draft, contentType: part.contentType };
  }
  return { fields, file };
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

async function readField(part: FormPart): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of part.body) {
    length += piece.length;
    if (length > fieldBytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

interface Upload {
  readonly mime_type: string;
  readonly file: DraftFile;
}

async function checkUpload(
  context: SimulatorContext,
  { fields, file }: UploadForm,
): Promise<Upload | GraphError> {
  if (fields.get("messaging_product") !== "whatsapp") {
    return invalidParameter("The parameter messaging_product is required.");
  }
  if (file === null) return invalidParameter("The parameter file is required.");
  // Meta uses the file's own type, but some clients only send it in the field.
  const isTyped = mediaKindOf(file.contentType ?? "") !== null;
  const mimeType = (isTyped ? file.contentType : fields.get("type")) ?? file.contentType ?? "";
  const kind = mediaKindOf(mimeType);
  if (kind === null) {
    const types = Object.values(mediaKinds).flatMap((row) => row.types);
    return invalidParameter(
      `Param file must be a file with one of the following types: ${types.join(", ")}. Received file of type '${mimeType.slice(0, 100)}'.`,
    );
  }
  if (file.bytes === 0) return { error: "media_upload_failed", details: "The file is empty." };
  const isStatic =
    kind === "sticker" && !isAnimatedWebp(await context.media.files.beginningOf(file, signatureBytes));
  const bytesMax = isStatic ? staticStickerBytesMax : mediaKinds[kind].bytesMax;
  if (file.bytes > bytesMax) {
    return {
      error: "media_upload_failed",
      details: `The file is larger than the ${bytesMax} bytes that ${kind} may have.`,
    };
  }
  return { mime_type: mimeType.split(";", 1)[0]?.trim() ?? mimeType, file };
}
