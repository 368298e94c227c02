const MIB = 1024 * 1024;

/**
 * What WhatsApp takes for each type of media message
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types).
 * Of Ogg it takes Opus only; an image has 8 bits a channel.
 */
export const MEDIA_TYPES = {
  image: { sizeBytesMax: 5 * MIB, mimeTypes: ["image/jpeg", "image/png"] },
  audio: {
    sizeBytesMax: 16 * MIB,
    mimeTypes: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"],
  },
  video: { sizeBytesMax: 16 * MIB, mimeTypes: ["video/mp4", "video/3gpp"] },
  document: {
    sizeBytesMax: 100 * MIB,
    mimeTypes: [
      "application/pdf",
      "text/plain",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
  },
} as const satisfies Record<string, { sizeBytesMax: number; mimeTypes: readonly string[] }>;

export type MediaType = keyof typeof MEDIA_TYPES;

/**
 * Whether WhatsApp takes this for a message of the type.
 * @param mimeType as a `Content-Type` has it, in any case and with parameters (RFC 9110, section 8.3.1).
 */
export function isMimeTypeTaken(type: MediaType, mimeType: string): boolean {
  const [essence = "", ...parameters] = mimeType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (essence === "audio/ogg" && !parameters.every(isOpus)) return false;
  const taken: readonly string[] = MEDIA_TYPES[type].mimeTypes;
  return taken.includes(essence);
}

function isOpus(parameter: string): boolean {
  return !parameter.startsWith("codecs=") || /^codecs="?opus"?$/.test(parameter);
}
