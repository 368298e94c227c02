import { personalProcedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { endSession, endSessionSchema, endOtherSessions } from "./end-sessions";
import { listSessions } from "./list-sessions";
import { readMe } from "./me";
import { renamePerson, renameSchema } from "./rename";

/** Procedures about the signed-in person, independent of organizations. */
export const accountRouter = t.router({
  me: personalProcedure().query(readMe),
  rename: personalProcedure().input(renameSchema).mutation(renamePerson),
  sessions: personalProcedure().query(listSessions),
  endSession: personalProcedure(["session_not_found"]).input(endSessionSchema).mutation(endSession),
  endOtherSessions: personalProcedure().mutation(endOtherSessions),
});
