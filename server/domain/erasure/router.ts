import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { contactIdInput } from "@/server/domain/contacts/inspect";
import { eraseContact } from "./erase-contact";
import { previewErasure } from "./preview-erasure";

/** For members only: none of these is a route of the public API. */
const forMembers = procedure({
  capability: "contacts.erase",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: ["contact_not_found"],
});

export const erasureRouter = t.router({
  previewErasure: forMembers.input(contactIdInput).query(previewErasure),
  erase: forMembers.input(contactIdInput).mutation(eraseContact),
});
