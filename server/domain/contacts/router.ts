import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { contactOutput } from "./contact";
import { getContact, getContactInput } from "./get";
import { contactIdInput, inspectContact } from "./inspect";
import { contactPage, listContacts, listContactsInput } from "./list";
import { countContacts, countContactsInput, searchContacts, searchContactsInput } from "./search";
import { UPDATE_CONTACT_EXAMPLES, updateContact, updateContactInput } from "./update";

/** For members only: none of these is a route of the public API. */
const forMembers = (errors: ProcedureMeta["errors"]) =>
  procedure({ capability: "contacts.read", bucket: null, status: 200, statuses: [200], errors });

export const contactsRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/contacts",
      operationId: "listContacts",
      summary: "List contacts, newest first",
      description:
        "For a key that is limited to channels, a page can contain fewer contacts than `limit`, even none, while " +
        "`next_cursor` isn't null: each page searches a part of all contacts.",
      tags: ["Contacts"],
    },
    capability: "contacts.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["rate_limited"],
  })
    .input(listContactsInput)
    .output(contactPage)
    .query(listContacts),

  get: procedure({
    openapi: {
      method: "GET",
      path: "/contacts/{contact_id}",
      operationId: "getContact",
      summary: "Get a contact with its conversations",
      description: "The id of a contact that was merged into another one returns that one.",
      tags: ["Contacts"],
    },
    capability: "contacts.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["contact_not_found", "rate_limited"],
  })
    .input(getContactInput)
    .output(contactOutput)
    .query(getContact),

  update: procedure({
    openapi: {
      method: "PATCH",
      path: "/contacts/{contact_id}",
      operationId: "updateContact",
      summary: "Change the name or the marketing preference of a contact",
      description:
        "Fields that you leave out stay as they are. The response is the contact with its identities and conversations, " +
        "also if nothing changes, and also for a key that can't get contacts otherwise.",
      tags: ["Contacts"],
      examples: UPDATE_CONTACT_EXAMPLES,
    },
    capability: "contacts.write",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["contact_not_found", "rate_limited"],
  })
    .input(updateContactInput)
    .output(contactOutput)
    .mutation(updateContact),

  search: forMembers([]).input(searchContactsInput).query(searchContacts),
  count: forMembers([]).input(countContactsInput).query(countContacts),
  inspect: forMembers(["contact_not_found"]).input(contactIdInput).query(inspectContact),
});
