import { documentedError, type GraphError } from "./graph-errors";
import type { PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

/**
 * Returns the error for a token that may not use this number. Null if it may. Meta hides a number that the token can't
 * see.
 */
export function callerError(
  context: SimulatorContext,
  number: PhoneNumber | null,
  token: string | null,
): GraphError | null {
  if (token !== null && number?.access_token === token) return credentialFailure(context, number);
  return strangerError(context, token);
}

/** Returns the error for a token that may not use this account. Null if it may: a token of any of its numbers may. */
export function accountCallerError(
  context: SimulatorContext,
  wabaId: string,
  token: string | null,
): GraphError | null {
  const number = context.numbers.ofAccount(wabaId).find(({ access_token }) => access_token === token);
  return number === undefined ? strangerError(context, token) : credentialFailure(context, number);
}

function strangerError(context: SimulatorContext, token: string | null): GraphError {
  if (token === null || !context.numbers.knowsToken(token)) return { error: "access_token_invalid" };
  return { error: "object_unknown" };
}

function credentialFailure(context: SimulatorContext, { phone_number_id }: PhoneNumber): GraphError | null {
  const error = context.failures.get(phone_number_id)?.error;
  return error !== undefined && documentedError(error).isCredential ? { error } : null;
}
