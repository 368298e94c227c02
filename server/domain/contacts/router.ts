import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { contactIdInput, getContact } from "./get";
import { listContacts, listContactsInput } from "./list";

/** For members only: none of these is a route of the public API. */
const forMembers = (errors: ProcedureMeta["errors"]) =>
  procedure({ capability: "contacts.read", bucket: null, status: 200, statuses: [200], errors });

export const contactsRouter = t.router({
  list: forMembers([]).input(listContactsInput).query(listContacts),
  get: forMembers(["contact_not_found"]).input(contactIdInput).query(getContact),
});
