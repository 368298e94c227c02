import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { vetUrl } from "@/server/adapters/outbound/vet-url";
import {
  isExtensionAccepted,
  isMimeTypeAccepted,
  MEDIA_TYPES,
  type MediaType,
} from "@/server/adapters/whatsapp/media-types";
import { isGiven } from "../model/content-rules";
import type { SendMessageInput } from "../model/send-request";
import type { UploadFact } from "./send-facts";

/** Maximum length of a client's own value in an error message. */
const SHOWN_LENGTH_MAX = 100;

/**
 * Checks that the file may be sent. If upload and URL are both given, the upload is sent, but the URL is checked too.
 * @param upload the organization's upload under `storage_key`, if there is one.
 * @throws WaypostError `invalid_media`, `media_url_forbidden`.
 */
export async function checkMedia(
  services: Services,
  { type, media }: SendMessageInput,
  upload: UploadFact | null,
): Promise<void> {
  if (!media || !isMediaType(type)) return;
  if (isGiven(media.mime_type) && !isMimeTypeAccepted(type, media.mime_type)) {
    const shown = media.mime_type.slice(0, SHOWN_LENGTH_MAX);
    throw invalid(
      "media.mime_type",
      `${notAccepted(type, shown)} It accepts ${MEDIA_TYPES[type].mimeTypes.join(", ")}.`,
    );
  }
  if (isGiven(media.storage_key)) checkUpload(type, upload);
  if (!isGiven(media.url)) return;
  await requirePublicUrl(services, media.url, "media.url");
  if (!isGiven(media.mime_type)) checkExtension(type, media.url);
}

/** WhatsApp uses the file type that the host reports, so a given `mime_type` is trusted. */
function checkExtension(type: MediaType, url: string): void {
  const [, extension = ""] = /[^/](\.[^./]+)$/.exec(decoded(new URL(url).pathname).toLowerCase()) ?? [];
  if (isExtensionAccepted(type, extension)) return;
  throw invalid(
    "media.url",
    `${notAccepted(type, extension)} It accepts ${MEDIA_TYPES[type].extensions.join(", ")}. ` +
      "If the file has a different type than its URL shows, send `media.mime_type`.",
  );
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Checks that a URL is public. @throws WaypostError `media_url_forbidden`, naming the field. */
export async function requirePublicUrl(services: Services, url: string, field: string): Promise<void> {
  const vetting = await vetUrl(url, services.config);
  if (vetting.kind === "allowed") return;
  throw new WaypostError("media_url_forbidden", {
    field,
    message: `The media URL can't be used: ${vetting.reason}.`,
  });
}

function checkUpload(type: MediaType, upload: UploadFact | null): void {
  const field = "media.storage_key";
  if (upload === null) throw invalid(field, "There is no such upload, or it has expired.");
  if (!isMimeTypeAccepted(type, upload.mimeType)) throw invalid(field, notAccepted(type, upload.mimeType));
  const { sizeBytesMax } = MEDIA_TYPES[type];
  if (upload.size > sizeBytesMax) {
    throw invalid(
      field,
      `The upload has ${upload.size} bytes; for type ${type}, WhatsApp accepts at most ${sizeBytesMax}.`,
    );
  }
}

function notAccepted(type: MediaType, mimeType: string): string {
  return `WhatsApp doesn't accept \`${mimeType}\` for type ${type}.`;
}

function invalid(field: string, message: string): WaypostError {
  return new WaypostError("invalid_media", { field, message });
}

function isMediaType(type: string): type is MediaType {
  return Object.hasOwn(MEDIA_TYPES, type);
}
