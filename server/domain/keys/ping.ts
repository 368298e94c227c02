import { z } from "zod";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { wallClock } from "@/server/lib/wall-clock";

export const pingOutput = z
  .object({
    ok: z.literal(true),
    organization_id: z.guid(),
    key: z.object({
      id: z.guid(),
      name: z.string(),
      prefix: z.string(),
      scopes: z.array(z.string()),
      expires_at: z.iso.datetime().nullable(),
    }),
    time: z.iso.datetime(),
  })
  .meta({
    id: "Ping",
    examples: [
      {
        ok: true,
        organization_id: "0198e7d0-77a1-7d2c-9b1e-4c5d6e7f8091",
        key: {
          id: "0198e7d2-5f30-7c44-8a6b-1d2e3f405162",
          name: "Order service",
          prefix: "ak_live_9fK2",
          scopes: ["messages:send", "messages:read"],
          expires_at: null,
        },
        time: "2026-01-31T12:00:00.000Z",
      },
    ],
  });

/** Returns the key's own data: the quickest way to check that a key works. */
export async function ping(args: { ctx: Context }): Promise<z.infer<typeof pingOutput>> {
  const { actor } = args.ctx;
  if (actor.kind !== "key") throw new WaypostError("permission_denied");
  return {
    ok: true,
    organization_id: actor.organizationId,
    key: {
      id: actor.keyId,
      name: actor.keyName,
      prefix: actor.keyPrefix,
      scopes: [...actor.scopes],
      expires_at: actor.expiresAt?.toISOString() ?? null,
    },
    time: wallClock.now().toISOString(),
  };
}
