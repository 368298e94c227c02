import { z } from "zod";
import type { Context, Services } from "@/server/core/context";
import { isErrorCode } from "@/server/platform/errors";
import { applyStatuses } from "./apply-statuses";
import { type StatusReport } from "@/server/adapters/whatsapp/reports";

/** A status that was kept because its message wasn't known. */
export interface KeptStatus {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly entry: unknown;
}

const storedReport = z.object({
  upstreamId: z.string(),
  messageId: z.string().nullable(),
  kind: z.enum(["sent", "delivered", "read", "failed"]),
  upstreamAt: z.coerce.date().nullable(),
  recipient: z.string().nullable(),
  errorCode: z.string().refine(isErrorCode).nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
}) satisfies z.ZodType<StatusReport>;

/**
 * Applies a kept status whose message is now known, and deletes it.
 * @param messageId if the status itself doesn't name the message.
 */
export async function applyKept(services: Services, kept: KeptStatus, messageId?: string): Promise<void> {
  const { id, organizationId, channelId, entry } = kept;
  const parsed = storedReport.safeParse(entry);
  if (parsed.success) {
    const report = messageId === undefined ? parsed.data : { ...parsed.data, messageId };
    const actor = { kind: "system", organizationId, job: "join-statuses" } as const;
    const ctx: Context = { services, actor, requestId: null };
    await applyStatuses({ ctx, input: { channelId, reports: [report] } });
  } else {
    services.log.error({ unmatchedStatus: id }, "a kept status can't be read; it is dropped");
  }
  await services.sql`
    delete from unmatched_statuses where organization_id = ${organizationId} and id = ${id}`;
}
