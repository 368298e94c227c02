import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Key = inferOutput<Procedures["keys"]["list"]>["data"][number];
export type KeyDetail = inferOutput<Procedures["keys"]["get"]>;
export type KeyOptions = inferOutput<Procedures["keys"]["options"]>;
export type ScopeName = Key["scopes"][number];
export type IdentifiedKey = inferOutput<Procedures["keys"]["identify"]>;

/** A new secret, kept while its dialog is open. */
export interface NewSecret {
  readonly keyName: string;
  readonly secret: string;
  /** A note on how long the previous secret still works. Null for a new key. */
  readonly former: string | null;
}
