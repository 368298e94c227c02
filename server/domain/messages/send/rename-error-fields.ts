import { type FieldFault, WaypostError } from "@/server/platform/errors";

/** Fields of the public API's body, each with the corresponding field of another input. The first match counts. */
export type FieldNames = readonly (readonly [from: string, to: string])[];

/** The parts of this field keep their names. */
const VARIABLES = "content.variables";

/** Returns an error of the public API with the field names of a verb's own input, in all its faults and its message. */
export function renameErrorFields(error: WaypostError, names: FieldNames): WaypostError {
  const { code, message, headers, others, resendAfter } = error;
  if (error.field === undefined) return error;
  return new WaypostError(code, {
    ...renameField({ field: error.field, message }, names),
    others: others.map((fault) => renameField(fault, names)),
    headers,
    ...(resendAfter === undefined ? {} : { resendAfter }),
    cause: error,
  });
}

function renameField({ field, message }: FieldFault, names: FieldNames): FieldFault {
  const known = names.find(([from]) => field === from || field.startsWith(`${from}.`));
  if (known === undefined) return { field, message };
  const [from, to] = known;
  const renamed = to === VARIABLES ? to + field.slice(from.length) : to;
  return { field: renamed, message: message.replaceAll(`\`${field}\``, `\`${renamed}\``) };
}
