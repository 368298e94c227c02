import { openProcedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { openSetup, openSetupSchema } from "./open";
import { setUp, setUpSchema } from "./set-up";

/** The first owner of an installation. Mutations only: an input of a query stands in the address, and so in logs. */
export const setupRouter = t.router({
  open: openProcedure(["link_invalid"]).input(openSetupSchema).mutation(openSetup),
  setUp: openProcedure(["link_invalid"]).input(setUpSchema).mutation(setUp),
});
