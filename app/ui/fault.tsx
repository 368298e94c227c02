import { Failure } from "./query-state";

/** What is wrong with a whole form, or with a button's act; nothing for null. */
export function Fault({ of }: { of: unknown }) {
  return of === null ? null : <Failure error={of} />;
}
