import { and, desc, eq, gt, sql } from "drizzle-orm";
import { sessions } from "@/db/schema";
import type { PersonContext } from "@/server/core/context";

/** An active session. */
export interface SessionView {
  readonly id: string;
  readonly address: string | null;
  /** The browser's user agent. */
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** Accurate to about a day. */
  readonly lastSeenAt: Date;
  readonly isThisOne: boolean;
}

/** Nobody would read a longer list. */
const SHOWN_MAX = 100;

/** Lists the person's active sessions, latest first. */
export async function listSessions({ ctx }: { ctx: PersonContext }): Promise<SessionView[]> {
  const { services, person } = ctx;
  const rows = await services.orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, person.userId), gt(sessions.expiresAt, sql`pg_catalog.clock_timestamp()`)))
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
