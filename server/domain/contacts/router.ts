import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { eraseContact } from "./erase";
import { contactIdInput, getContact } from "./get";
import { listContacts, listContactsInput } from "./list";
import { previewErasure } from "./preview-erasure";

/** For members only: none of these is a route of the public API. */
const forMembers = (capability: "contacts.read" | "contacts.erase", errors: ProcedureMeta["errors"]) =>
  procedure({ capability, bucket: null, status: 200, statuses: [200], errors });

export const contactsRouter = t.router({
  list: forMembers("contacts.read", []).input(listContactsInput).query(listContacts),
  get: forMembers("contacts.read", ["contact_not_found"]).input(contactIdInput).query(getContact),
  previewErasure: forMembers("contacts.erase", ["contact_not_found"])
    .input(contactIdInput)
    .query(previewErasure),
  erase: forMembers("contacts.erase", ["contact_not_found"]).input(contactIdInput).mutation(eraseContact),
});
