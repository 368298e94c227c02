import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Template = inferOutput<Procedures["templates"]["search"]>["data"][number];
export type TemplateDetail = inferOutput<Procedures["templates"]["get"]>;
export type Piece = TemplateDetail["parts"][number]["pieces"][number];
