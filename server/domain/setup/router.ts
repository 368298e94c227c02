import { openProcedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { openSetup, openSetupSchema } from "./open";
import { setUp, setUpSchema } from "./set-up";

/**
 * Procedures for the first owner of an installation. Mutations only: a query's input would be in the URL, and so in
 * logs.
 */
export const setupRouter = t.router({
  open: openProcedure(["link_invalid"]).input(openSetupSchema).mutation(openSetup),
  setUp: openProcedure(["link_invalid"]).input(setUpSchema).mutation(setUp),
});
