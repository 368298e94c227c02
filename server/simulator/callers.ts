import { documentedError, type Refusal } from "./graph-errors";
import type { PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

/** Why this token may not use this number, null when it may. Meta hides a number that the token can't see. */
export function callerRefusal(
  context: SimulatorContext,
  number: PhoneNumber | null,
  token: string | null,
): Refusal | null {
  if (token !== null && number?.access_token === token) return credentialFailure(context, number);
  return strangerRefusal(context, token);
}

/** Why this token may not use this account, null when it may: the token of one of its numbers may. */
export function accountCallerRefusal(
  context: SimulatorContext,
  wabaId: string,
  token: string | null,
): Refusal | null {
  const number = context.numbers.ofAccount(wabaId).find(({ access_token }) => access_token === token);
  return number === undefined ? strangerRefusal(context, token) : credentialFailure(context, number);
}

function strangerRefusal(context: SimulatorContext, token: string | null): Refusal {
  if (token === null || !context.numbers.knowsToken(token)) return { error: "access_token_invalid" };
  return { error: "object_unknown" };
}

function credentialFailure(context: SimulatorContext, { phone_number_id }: PhoneNumber): Refusal | null {
  const error = context.failures.get(phone_number_id)?.error;
  return error !== undefined && documentedError(error).isCredential ? { error } : null;
}
