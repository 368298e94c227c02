import { and, desc, eq, gt, sql } from "drizzle-orm";
import { sessions } from "@/db/schema";
import type { PersonContext } from "@/server/core/context";

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
