import { refused } from "./guard";

/** Refusals that tests of members provoke. */
export const REFUSED = {
  expects: refused(
    "400 members.invite",
    "400 members.acceptInvitation",
    "404 members.openInvitation",
    "422 members.remove",
    "422 members.setRights",
    "403 keys.list",
    "401 /api/auth/sign-in/email",
  ),
};
