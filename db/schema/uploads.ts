import { bigint, foreignKey, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { createdAt, id, time } from "./columns";
import { organizations } from "./organizations";

/** Files to send. The bytes are in the upload store, under the row's own id. When a file is erased, its row remains. */
export const uploads = pgTable(
  "uploads",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    /** Its name in the public API. */
    storageKey: text().notNull(),
    filename: text(),
    /** Detected from the bytes. */
    mimeType: text().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** In hex. */
    sha256: text().notNull(),
    createdAt: createdAt(),
    /** No message can be sent with it afterwards. */
    expiresAt: time().notNull(),
    erasedAt: time(),
  },
  (t) => [
    unique("uploads_id_organization_id_unique").on(t.id, t.organizationId),
    unique("uploads_storage_key_unique").on(t.storageKey),
    index("uploads_expires_at_index").on(t.expiresAt),
  ],
);

/** An upload at the upstream. Ids belong to a number, and last for 30 days. */
export const uploadMedia = pgTable(
  "upload_media",
  {
    id: id(),
    organizationId: uuid().notNull(),
    uploadId: uuid().notNull(),
    channelId: uuid().notNull(),
    mediaId: text().notNull(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.uploadId],
      foreignColumns: [uploads.organizationId, uploads.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    unique("upload_media_channel_unique").on(t.uploadId, t.channelId),
  ],
);
