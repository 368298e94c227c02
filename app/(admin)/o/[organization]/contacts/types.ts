import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Contact = inferOutput<Procedures["contacts"]["search"]>["data"][number];
export type ContactDetail = inferOutput<Procedures["contacts"]["inspect"]>;
