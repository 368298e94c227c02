import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Channel = inferOutput<Procedures["channels"]["survey"]>["data"][number];
export type ChannelDetail = inferOutput<Procedures["channels"]["get"]>;
export type Silence = inferOutput<Procedures["channels"]["awaitingStatus"]>["data"][number];
