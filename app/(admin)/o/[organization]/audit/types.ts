import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Act = inferOutput<Procedures["audit"]["list"]>["data"][number];
