import { procedure } from "@/server/core/procedure";
import { t, type ProcedureMeta } from "@/server/core/trpc";
import { createKey } from "./create";
import { endFormerSecret } from "./end-former-secret";
import { getKey } from "./get";
import { identifyKey } from "./identify";
import { listKeys } from "./list";
import { keyOptions } from "./options";
import { revokeKey } from "./revoke";
import { rotateKey } from "./rotate";
import {
  createKeySchema,
  endFormerSecretSchema,
  getKeySchema,
  identifyKeySchema,
  listKeysSchema,
  revokeKeySchema,
  rotateKeySchema,
  setKeySchema,
} from "./schemas";
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
  get: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(getKeySchema)
    .query(getKey),
  options: procedure(FOR_MEMBERS).query(keyOptions),
  // Changes nothing, but is a mutation: a query's input would be in the URL.
  identify: procedure(FOR_MEMBERS).input(identifyKeySchema).mutation(identifyKey),
  create: procedure(FOR_MEMBERS).input(createKeySchema).mutation(createKey),
  rotate: procedure({ ...FOR_MEMBERS, errors: ["key_not_found", "key_not_rotatable"] })
    .input(rotateKeySchema)
    .mutation(rotateKey),
  endFormerSecret: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(endFormerSecretSchema)
    .mutation(endFormerSecret),
  set: procedure({ ...FOR_MEMBERS, errors: ["key_not_found", "key_not_extendable"] })
    .input(setKeySchema)
    .mutation(setKey),
  revoke: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(revokeKeySchema)
    .mutation(revokeKey),
});
