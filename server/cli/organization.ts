import type { SystemActor } from "../api/actor";
import type { Context, Services } from "../context";
import { findOrganization, listOrganizations } from "../organizations/claim";
import { createOrganization } from "../organizations/create";
import { CommandError, table, type AddCommands } from "./command";

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
          json: found,
          text: table(
            ["ID", "NAME"],
            found.map(({ id, name }) => [id, name]),
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
};

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
