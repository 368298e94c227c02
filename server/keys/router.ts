import { procedure } from "../api/procedure";
import { t, type ProcedureMeta } from "../api/trpc";
import { createKey } from "./create";
import { listKeys } from "./list";
import { revokeKey } from "./revoke";
import { rotateKey } from "./rotate";
import { createKeySchema, listKeysSchema, revokeKeySchema, rotateKeySchema, setKeySchema } from "./schemas";
import { setKey } from "./set";

/** For members only: no key can manage keys, so none of these is a route of the public API. */
const FOR_MEMBERS = {
  capability: "integrations.manage_api",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const keysRouter = t.router({
  list: procedure(FOR_MEMBERS).input(listKeysSchema).query(listKeys),
  create: procedure(FOR_MEMBERS).input(createKeySchema).mutation(createKey),
  rotate: procedure({ ...FOR_MEMBERS, errors: ["key_not_found", "key_not_rotatable"] })
    .input(rotateKeySchema)
    .mutation(rotateKey),
  set: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(setKeySchema)
    .mutation(setKey),
  revoke: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(revokeKeySchema)
    .mutation(revokeKey),
});
