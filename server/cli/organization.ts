import type { Command } from "commander";
import { RETENTION_DAYS_MIN } from "@/db/schema";
import type { SystemActor } from "../api/actor";
import type { Context, Services } from "../context";
import { findOrganization, listOrganizations } from "../organizations/claim";
import { createOrganization } from "../organizations/create";
import { RETENTION_DAYS_MAX, setRetention } from "../organizations/set-retention";
import { CommandError, parseId, table, wholeNumber, type AddCommands, type Run } from "./command";

export const addOrganizationCommands: AddCommands = (program, run) => {
  const org = program.command("org").description("organizations");
  org
    .command("list")
    .description("list the organizations")
    .option("--json", "print JSON only")
    .action((options: { json?: boolean }) =>
      run(async ({ services }) => {
        const found = await listOrganizations(services.orm);
        return {
          json: found.map(({ id, name, retentionDays }) => ({ id, name, retention_days: retentionDays })),
          text: table(
            ["ID", "NAME", "KEEPS"],
            found.map(({ id, name, retentionDays }) => [id, name, `${retentionDays} days`]),
          ),
        };
      }, options),
    );
  org
    .command("create")
    .description("make an organization")
    .requiredOption("--name <name>", "1 to 100 characters")
    .option("--json", "print JSON only")
    .action((options: { name: string; json?: boolean }) =>
      run(async ({ services }) => {
        const input = { name: options.name };
        const { id, name } = await createOrganization({ services, job: "cli org create", input });
        return { json: { id, name }, text: `Organization ${id} (${name}) is made.` };
      }, options),
    );
  addSetCommand(org, run);
};

function addSetCommand(org: Command, run: Run): void {
  org
    .command("set")
    .description("set for how many days an organization keeps what was said and to whom")
    .argument("<id>", "id of the organization", parseId)
    .requiredOption(
      "--retention-days <n>",
      `at least ${RETENTION_DAYS_MIN}`,
      wholeNumber(RETENTION_DAYS_MIN, RETENTION_DAYS_MAX),
    )
    .option("--json", "print JSON only")
    .action((id: string, options: { retentionDays: number; json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireOrganization(services, id, "cli org set");
        const { days } = await setRetention({ ctx, input: { days: options.retentionDays } });
        return {
          json: { id, retention_days: days },
          text: `Organization ${id} keeps messages and numbers for ${days} days; what is older is erased within the hour.`,
        };
      }, options),
    );
}

/**
 * The context of a command that works for the organization.
 * @throws CommandError when there is no such organization.
 */
export async function requireOrganization(
  services: Services,
  organizationId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const found = await findOrganization(services.orm, organizationId);
  if (!found)
    throw new CommandError(
      "not_found",
      `There is no organization ${organizationId}. \`org list\` shows them.`,
    );
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
