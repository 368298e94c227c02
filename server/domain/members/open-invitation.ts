import { z } from "zod";
import type { Role } from "@/server/core/actor";
import type { OpenContext } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { type Inviter, canInviteTo } from "./inviter";
import { hashOfToken, tokenSchema } from "./token";

export const openInvitationSchema = z.strictObject({ token: tokenSchema });

/** What an invitation's link shows before it is accepted. */
export interface OpenedInvitation {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  /** Whether they sign in to their account, or choose a password for a new one. */
  readonly hasAccount: boolean;
  /** Whether they are signed in with that address now. */
  readonly isSignedIn: boolean;
}

interface OpenedRow extends Omit<OpenedInvitation, "isSignedIn"> {
  readonly isOpen: boolean;
  readonly inviter: Inviter | null;
}

/**
 * Returns the data of an invitation that can still be accepted.
 * @throws WaypostError `link_invalid`; `inviter_gone` if the inviter may no longer invite.
 */
export async function openInvitation(args: {
  ctx: OpenContext;
  input: z.input<typeof openInvitationSchema>;
}): Promise<OpenedInvitation> {
  const { ctx } = args;
  const { token } = parseInput(openInvitationSchema, args.input);
  const [row] = await ctx.services.sql<OpenedRow[]>`
    select o.name as "organizationName", i.email, i.role,
      exists (select from users u where lower(u.email) = lower(i.email)) as "hasAccount",
      i.revoked_at is null and i.expires_at > clock_timestamp() as "isOpen",
      case when m.id is not null
        then json_build_object('role', m.role, 'isRemoved', m.removed_at is not null) end as inviter
    from invitations i join organizations o on o.id = i.organization_id
    left join members m on m.id = i.invited_by and m.organization_id = i.organization_id
    where i.token_hash = ${hashOfToken(token)} and i.accepted_at is null`;
  if (!row) throw new WaypostError("link_invalid");
  const { isOpen, inviter, ...invitation } = row;
  if (!canInviteTo(invitation.role, inviter)) throw new WaypostError("inviter_gone");
  if (!isOpen) throw new WaypostError("link_invalid");
  return { ...invitation, isSignedIn: ctx.person?.email === invitation.email };
}
