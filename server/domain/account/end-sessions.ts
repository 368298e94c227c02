import { and, eq, ne } from "drizzle-orm";
import { z } from "zod";
import { sessions } from "@/db/schema";
import { recordAccountAct } from "@/server/domain/auth/record";
import type { PersonContext } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";

export const endSessionSchema = z.strictObject({ sessionId: z.string() });

/** Ends the session: from the next request on, it is signed out. @throws WaypostError `session_not_found`. */
export async function endSession(args: {
  ctx: PersonContext;
  input: z.input<typeof endSessionSchema>;
}): Promise<void> {
  const { services, person } = args.ctx;
  const { sessionId } = parseInput(endSessionSchema, args.input);
  const ended = isUuid(sessionId)
    ? await services.orm
        .delete(sessions)
        .where(and(eq(sessions.userId, person.userId), eq(sessions.id, sessionId)))
        .returning({ id: sessions.id })
    : [];
  if (ended.length === 0) throw new WaypostError("session_not_found");
  await recordAccountAct(services, { ...person, action: "member.sessions_revoked" });
}

/** Ends all of the person's sessions except the current one. */
export async function endOtherSessions({ ctx }: { ctx: PersonContext }): Promise<{ ended: number }> {
  const { services, person } = ctx;
  const ended = await services.orm
    .delete(sessions)
    .where(and(eq(sessions.userId, person.userId), ne(sessions.id, person.sessionId)))
    .returning({ id: sessions.id });
  if (ended.length > 0) await recordAccountAct(services, { ...person, action: "member.sessions_revoked" });
  return { ended: ended.length };
}
