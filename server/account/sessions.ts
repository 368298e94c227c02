import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { sessions } from "@/db/schema";
import { recordAccountAct } from "../auth/record";
import type { PersonContext } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { isUuid } from "../uuid";

/** A sign-in that lasts. */
export interface SessionView {
  readonly id: string;
  readonly address: string | null;
  /** As the browser calls itself. */
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** To about a day. */
  readonly lastSeenAt: Date;
  readonly isThisOne: boolean;
}

/** More sign-ins at once wouldn't be read by anybody. */
const SHOWN_MAX = 100;

/** Where the person is signed in, the latest first. */
export async function listSessions({ ctx }: { ctx: PersonContext }): Promise<SessionView[]> {
  const { services, person } = ctx;
  const rows = await services.orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, person.userId), gt(sessions.expiresAt, sql`clock_timestamp()`)))
    .orderBy(desc(sessions.createdAt))
    .limit(SHOWN_MAX);
  return rows.map(({ id, ipAddress, userAgent, createdAt, updatedAt }) => ({
    id,
    address: ipAddress || null,
    userAgent: userAgent || null,
    createdAt,
    lastSeenAt: updatedAt,
    isThisOne: id === person.sessionId,
  }));
}

export const endSessionSchema = z.strictObject({ sessionId: z.string() });

/** Signs the person out there, from the next request on. @throws WaypostError `session_not_found`. */
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

/** Signs the person out everywhere but here. */
export async function endOtherSessions({ ctx }: { ctx: PersonContext }): Promise<{ ended: number }> {
  const { services, person } = ctx;
  const ended = await services.orm
    .delete(sessions)
    .where(and(eq(sessions.userId, person.userId), ne(sessions.id, person.sessionId)))
    .returning({ id: sessions.id });
  if (ended.length > 0) await recordAccountAct(services, { ...person, action: "member.sessions_revoked" });
  return { ended: ended.length };
}
