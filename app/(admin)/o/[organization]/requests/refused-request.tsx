import type { inferOutput } from "@trpc/tanstack-react-query";
import { Tag } from "@/app/ui/tag";
import type { Procedures } from "@/app/ui/trpc";

export type RequestPage = inferOutput<Procedures["requests"]["list"]>;
export type RefusedRequest = RequestPage["data"][number];

/** Server errors look different from errors of the request. */
export function StatusTag({ status }: { status: number }) {
  return <Tag tone={status >= 500 ? "bad" : "warn"}>{status}</Tag>;
}
