import { and, eq, ne } from "drizzle-orm";
import { sessions } from "@/db/schema";
import { recordAccountAct } from "@/server/domain/auth/record";
import type { PersonContext } from "@/server/core/context";

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
