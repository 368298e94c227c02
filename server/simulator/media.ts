import { randomInt } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "./clock";
import { asFields, listOfFields, type Fields } from "./fields";
import type { GraphError } from "./graph-errors";
import { KeyedFile } from "./files";
import { MediaFiles, type DraftFile } from "./media-files";
import type { SimulatorLog } from "./simulator-context";

const MB = 1024 * 1024;

/**
 * File types that may be uploaded, and the message types that may use them (Meta, "Supported media types", 2026-06-16).
 * Stickers have the limit of animated ones; `staticStickerBytesMax` is that of the others.
 */
export const mediaKinds = {
  audio: { bytesMax: 16 * MB, types: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"] },
  document: {
    bytesMax: 100 * MB,
    types: [
      "text/plain",
      "application/pdf",
      "application/msword",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.ms-excel",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
  },
  image: { bytesMax: 5 * MB, types: ["image/jpeg", "image/png"] },
  sticker: { bytesMax: 500 * 1024, types: ["image/webp"] },
  video: { bytesMax: 16 * MB, types: ["video/mp4", "video/3gpp"] },
} as const satisfies Record<string, { bytesMax: number; types: readonly string[] }>;

export const staticStickerBytesMax = 100 * 1024;

export type MediaKind = keyof typeof mediaKinds;

/** The largest size of any kind. */
export const mediaBytesMax = Math.max(...Object.values(mediaKinds).map(({ bytesMax }) => bytesMax));

/**
 * Returns the kind of a mime type, whose parameters (`; codecs=opus`) are ignored. Null for a type that Meta doesn't
 * accept.
 */
export function mediaKindOf(mimeType: string): MediaKind | null {
  const bare = mimeType.split(";", 1)[0]?.trim().toLowerCase();
  for (const kind of mediaKindNames()) {
    if (mediaKinds[kind].types.some((type) => type === bare)) return kind;
  }
  return null;
}

/** Returns the keys of the table. `Object.keys` of a const object that nothing extends, hence the cast. */
function mediaKindNames(): MediaKind[] {
  return Object.keys(mediaKinds) as MediaKind[];
}

/** Returns why a message may not be sent with the media id that it contains. Null if it may. */
export function mediaSendProblem(
  store: MediaStore,
  phoneNumberId: string,
  message: { type: string; content: Fields },
): GraphError | null {
  for (const { kind, id } of namedMedia(message)) {
    const media = store.get(id);
    const problem = { error: "media_upload_failed" } as const;
    if (media === null || media.phone_number_id !== phoneNumberId) {
      return { ...problem, details: `Media with id ${id.slice(0, 40)} does not exist, or has expired.` };
    }
    const found = mediaKindOf(media.mime_type);
    // A file of any kind may be sent as a document.
    if (found !== kind && kind !== "document") {
      return {
        ...problem,
        details: `Media with id ${id} is ${media.mime_type}, which can't be sent as ${kind}.`,
      };
    }
  }
  return null;
}

function namedMedia(message: { type: string; content: Fields }): { kind: MediaKind; id: string }[] {
  return mediaPartsOf(message).flatMap(({ kind, content }) =>
    typeof content?.id === "string" ? [{ kind, id: content.id }] : [],
  );
}

/** Returns the media objects of a message: its own, that of its header, or those of a template's parameters. */
export function mediaPartsOf({
  type,
  content,
}: {
  type: string;
  content: Fields;
}): { kind: MediaKind; content: Fields | null }[] {
  if (isMediaKind(type)) return [{ kind: type, content }];
  if (type === "interactive") {
    const header = asFields(content.header);
    const kind = String(header?.type);
    return isMediaKind(kind) ? [{ kind, content: asFields(header?.[kind]) }] : [];
  }
  if (type !== "template") return [];
  const components = listOfFields(content.components);
  const ofCards = components
    .flatMap(({ cards }) => listOfFields(cards))
    .flatMap((card) => listOfFields(card.components));
  return [...components, ...ofCards]
    .flatMap(({ parameters }) => listOfFields(parameters))
    .flatMap((parameter) => {
      const kind = String(parameter.type);
      return isMediaKind(kind) ? [{ kind, content: asFields(parameter[kind]) }] : [];
    });
}

export function isMediaKind(type: string): type is MediaKind {
  return Object.hasOwn(mediaKinds, type);
}

const mediaSchema = z.object({
  id: z.string(),
  /** The number that it was uploaded to. Only this number may send it. */
  phone_number_id: z.string(),
  mime_type: z.string(),
  sha256: z.string(),
  file_size: z.number(),
  expires_at_ms: z.number(),
});

export type Media = Readonly<z.infer<typeof mediaSchema>>;

const dayMs = 24 * 60 * 60 * 1000;

/** Meta keeps uploads for 30 days, and the files of customers for 7. */
const keptForMs = { upload: 30 * dayMs, customer: 7 * dayMs } as const;

/** Uploads, and the files that customers sent: their descriptions in `media.jsonl`, their bytes in `files`. */
export class MediaStore {
  readonly files: MediaFiles;
  readonly #descriptions: KeyedFile<Media>;
  readonly #clock: Clock;

  private constructor(files: MediaFiles, descriptions: KeyedFile<Media>, clock: Clock) {
    this.files = files;
    this.#descriptions = descriptions;
    this.#clock = clock;
  }

  static async open(
    directory: string,
    { log, clock }: { log: SimulatorLog; clock: Clock },
  ): Promise<MediaStore> {
    const descriptions = await KeyedFile.open(join(directory, "media.jsonl"), mediaSchema, log);
    const valid = [...descriptions.values()].filter((media) => !isExpired(media, clock));
    const files = await MediaFiles.open(directory, new Set(valid.map(({ id }) => id)));
    return new MediaStore(files, descriptions, clock);
  }

  /** Null for an id that is unknown, was deleted, or has expired. */
  get(id: string): Media | null {
    const media = this.#descriptions.get(id);
    return media === null || isExpired(media, this.#clock) ? null : media;
  }

  /** Resolves to the new media when file and description are on disk. */
  async add(
    draft: DraftFile,
    { phone_number_id, mime_type }: Pick<Media, "phone_number_id" | "mime_type">,
    origin: keyof typeof keptForMs,
  ): Promise<Media> {
    const id = String(randomInt(1e14, 2.8e14));
    const { sha256, bytes: file_size } = draft;
    const expires_at_ms = this.#clock.nowMs() + keptForMs[origin];
    const media = { id, phone_number_id, mime_type, sha256, file_size, expires_at_ms };
    await this.files.keep(draft, id);
    await this.#descriptions.set(id, media);
    return media;
  }

  async forget(id: string): Promise<void> {
    await this.#descriptions.delete(id);
    await this.files.delete(id);
  }

  close(): Promise<void> {
    return this.#descriptions.close();
  }
}

function isExpired({ expires_at_ms }: Media, clock: Clock): boolean {
  return expires_at_ms <= clock.nowMs();
}
