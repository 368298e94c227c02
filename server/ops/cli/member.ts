import { type Command, InvalidArgumentError } from "commander";
import { type Role, ROLES } from "@/server/core/actor";
import { isGrantable } from "@/server/core/capabilities";
import { inviteMember } from "@/server/domain/members/invite";
import { listMembers, listMembersInput, type MemberView } from "@/server/domain/members/list";
import { resetPassword } from "@/server/domain/members/reset-password";
import { resetTwoFactor } from "@/server/domain/members/reset-two-factor";
import type { Attachment } from "./attach";
import { parseId, table, type AddCommands, type Run } from "./command";
import { requireOrganization } from "./organization";

/** Commands for the people of an organization. */
export const addMemberCommands: AddCommands = (program, run) => {
  const member = program.command("member").description("people who sign in");
  addListCommand(member, run);
  addInviteCommand(member, run);
  member
    .command("reset-password")
    .description("create a link to set a new password")
    .argument("<email>", "email address of the member")
    .option("--json", "print JSON only")
    .action((email: string, options: { json?: boolean }) =>
      run(async ({ services, ...address }) => {
        const { token, expiresAt } = await resetPassword({
          services,
          job: "cli member reset-password",
          input: { email },
        });
        const url = `${address.baseUrl}/reset-password#${token}`;
        const words = `Give this link to the member. It works once, until ${expiresAt.toISOString()}. Setting the new password ends all their sessions.`;
        return { json: { url, expires_at: expiresAt }, text: withLink(words, url, address) };
      }, options),
    );
  member
    .command("reset-2fa")
    .description("turn off a member's two-factor sign-in and end their sessions")
    .argument("<email>", "email address of the member")
    .option("--json", "print JSON only")
    .action((email: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const { wasOn } = await resetTwoFactor({ services, job: "cli member reset-2fa", input: { email } });
        return {
          json: { email, was_on: wasOn },
          text: wasOn
            ? `Two-factor sign-in of ${email} is off. They now sign in with their password only.`
            : `Two-factor sign-in of ${email} wasn't on. Nothing has changed.`,
        };
      }, options),
    );
};

function addListCommand(member: Command, run: Run): void {
  member
    .command("list")
    .description("list the members of an organization")
    .requiredOption("--org <id>", "id of the organization", parseId)
    .option("--json", "print JSON only")
    .action((options: { org: string; json?: boolean }) =>
      run(async ({ services }) => {
        const found = await allMembers(services, options.org);
        return {
          json: found.map(({ id, email, name, role, permissions, hasTwoFactor }) => ({
            id,
            email,
            name,
            role,
            permissions,
            two_factor: hasTwoFactor,
          })),
          text: table(
            ["ID", "EMAIL", "NAME", "ROLE", "TWO-FACTOR"],
            found.map(({ id, email, name, role, hasTwoFactor }) => [
              id,
              email,
              name,
              role,
              hasTwoFactor ? "on" : "off",
            ]),
          ),
        };
      }, options),
    );
}

async function allMembers(services: Attachment["services"], organizationId: string): Promise<MemberView[]> {
  const ctx = await requireOrganization(services, organizationId, "cli member list");
  const found: MemberView[] = [];
  let cursor: string | undefined;
  do {
    const page = await listMembers({ ctx, input: listMembersInput.parse({ limit: "100", cursor }) });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

interface InviteOptions {
  readonly org: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: string[];
  readonly json?: boolean;
}

function addInviteCommand(member: Command, run: Run): void {
  member
    .command("invite")
    .description("create a link to invite a member")
    .requiredOption("--org <id>", "id of the organization", parseId)
    .requiredOption("--email <address>", "email address of the new member")
    .requiredOption("--role <role>", ROLES.join(", "), parseRole)
    .option(
      "--permissions <list>",
      "comma-separated capabilities in addition to those of the role",
      parsePermissions,
      [],
    )
    .option("--json", "print JSON only")
    .action((options: InviteOptions) =>
      run(async ({ services, ...address }) => {
        const ctx = await requireOrganization(services, options.org, "cli member invite");
        const { email, role, permissions } = options;
        const { id, token, expiresAt } = await inviteMember({ ctx, input: { email, role, permissions } });
        const url = `${address.baseUrl}/invitation#${token}`;
        const words = `Give this link to ${email}. It works once, until ${expiresAt.toISOString()}.`;
        return { json: { id, url, expires_at: expiresAt }, text: withLink(words, url, address) };
      }, options),
    );
}

function withLink(words: string, url: string, { baseUrlDoubt }: Pick<Attachment, "baseUrlDoubt">): string {
  return [words, url, ...(baseUrlDoubt === null ? [] : [baseUrlDoubt])].join("\n\n");
}

function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (!role) throw new InvalidArgumentError(`Expected one of ${ROLES.join(", ")}.`);
  return role;
}

function parsePermissions(text: string): string[] {
  return text.split(",").map((one) => {
    const name = one.trim();
    if (!isGrantable(name)) throw new InvalidArgumentError(`${name} isn't a capability that you can give.`);
    return name;
  });
}
