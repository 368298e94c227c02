import { Failure } from "./query-state";

/** Shows the error of a whole form or of a button's action; nothing for null. */
export function Fault({ of }: { of: unknown }) {
  return of === null ? null : <Failure error={of} />;
}
