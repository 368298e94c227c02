import { randomInt } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { KeyedFile } from "./keyed-file";
import type { SimulatorLog } from "./log";

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

/** Meta keeps uploads for 30 days. */
const keptForMs = 30 * 24 * 60 * 60 * 1000;

/** The uploads, in `media.jsonl`: descriptions of the files, without their bytes. */
export class MediaStore {
  readonly #file: KeyedFile<Media>;

  private constructor(file: KeyedFile<Media>) {
    this.#file = file;
  }

  static async open(directory: string, log: SimulatorLog): Promise<MediaStore> {
    return new MediaStore(await KeyedFile.open(join(directory, "media.jsonl"), mediaSchema, log));
  }

  /** Null for an id that is unknown, was deleted, or has expired. */
  get(id: string): Media | null {
    const media = this.#file.get(id);
    return media !== null && media.expires_at_ms > Date.now() ? media : null;
  }

  /** Resolves to the new media when it is on disk. */
  async add(upload: Omit<Media, "id" | "expires_at_ms">): Promise<Media> {
    const id = String(randomInt(1e14, 2.8e14));
    const media = { id, ...upload, expires_at_ms: Date.now() + keptForMs };
    await this.#file.set(id, media);
    return media;
  }

  forget(id: string): Promise<void> {
    return this.#file.delete(id);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
