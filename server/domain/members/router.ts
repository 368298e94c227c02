import { openProcedure, procedure } from "@/server/core/procedure";
import { t, type ProcedureMeta } from "@/server/core/trpc";
import { acceptInvitation, acceptInvitationSchema } from "./accept";
import { inviteMember, inviteSchema } from "./invite";
import { listMembers, listMembersInput } from "./list";
import { listInvitations, listInvitationsInput } from "./list-invitations";
import { openInvitation, openInvitationSchema } from "./open-invitation";
import { removeMember, removeMemberSchema } from "./remove";
import { setRights, setRightsSchema } from "./set-rights";
import { withdrawInvitation, withdrawInvitationSchema } from "./withdraw-invitation";

const MANAGING = {
  capability: "members.manage",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const membersRouter = t.router({
  list: procedure(MANAGING).input(listMembersInput).query(listMembers),
  setRights: procedure({ ...MANAGING, errors: ["member_not_found", "last_owner"] })
    .input(setRightsSchema)
    .mutation(setRights),
  remove: procedure({ ...MANAGING, errors: ["member_not_found", "last_owner"] })
    .input(removeMemberSchema)
    .mutation(removeMember),
  invite: procedure(MANAGING).input(inviteSchema).mutation(inviteMember),
  invitations: procedure(MANAGING).input(listInvitationsInput).query(listInvitations),
  withdrawInvitation: procedure({ ...MANAGING, errors: ["link_invalid"] })
    .input(withdrawInvitationSchema)
    .mutation(withdrawInvitation),
  // A mutation, although it changes nothing: a query's input would be in the URL, and so in logs.
  openInvitation: openProcedure(["link_invalid", "inviter_gone"])
    .input(openInvitationSchema)
    .mutation(openInvitation),
  acceptInvitation: openProcedure(["link_invalid", "inviter_gone", "not_signed_in"])
    .input(acceptInvitationSchema)
    .mutation(acceptInvitation),
});
