import type { ReactNode } from "react";
import { Page } from "@/app/ui/admin-page";
import { QueryState } from "@/app/ui/query-state";

/** The page of one entity, which has its title from the first moment: until the entity has loaded, its kind. */
export function EntityPage<T>({
  kind,
  query,
  children,
}: {
  /** Such as `API key`. */
  kind: string;
  query: Parameters<typeof QueryState<T>>[0]["query"];
  children: (entity: T) => ReactNode;
}) {
  const state = <QueryState query={query}>{children}</QueryState>;
  return query.data === undefined ? <Page title={kind}>{state}</Page> : state;
}
