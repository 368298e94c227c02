import type { Executor } from "@/db/client";

/** Properties of a stored file, by its bytes. */
export interface MediaFacts {
  readonly size: number;
  readonly mime_type: string;
}

/**
 * An expression for a select over `messages m`: `{"size": …, "mime_type": …}` of the file that a customer sent, as
 * stored. Null for a message without a stored file. It costs one index lookup per row.
 */
export const mediaFacts = (sql: Executor) => sql`
  (select jsonb_build_object('size', f.size, 'mime_type', f.mime_type) from customer_files f
    where f.message_id = m.id and f.organization_id = m.organization_id and f.state = 'stored')`;
