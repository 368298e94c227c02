import { type FieldFault, WaypostError } from "@/server/platform/errors";

/** Fields of the public API's body, each with the corresponding field of another input. The first match counts. */
export type OwnFields = readonly (readonly [theirs: string, ours: string])[];

/** Where the parts of a field keep their names. */
const VARIABLES = "content.variables";

/** Returns an error of the public API with the fields of a verb's own input, in all its faults and its message. */
export function inOwnFields(error: WaypostError, fields: OwnFields): WaypostError {
  const { code, message, headers, others, resendAfter } = error;
  if (error.field === undefined) return error;
  return new WaypostError(code, {
    ...inOwnField({ field: error.field, message }, fields),
    others: others.map((fault) => inOwnField(fault, fields)),
    headers,
    ...(resendAfter === undefined ? {} : { resendAfter }),
    cause: error,
  });
}

function inOwnField({ field, message }: FieldFault, fields: OwnFields): FieldFault {
  const known = fields.find(([theirs]) => field === theirs || field.startsWith(`${theirs}.`));
  if (known === undefined) return { field, message };
  const [theirs, ours] = known;
  const own = ours === VARIABLES ? ours + field.slice(theirs.length) : ours;
  return { field: own, message: message.replaceAll(`\`${field}\``, `\`${own}\``) };
}
