import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type ConversationRow = inferOutput<Procedures["conversations"]["list"]>["data"][number];
export type Conversation = inferOutput<Procedures["conversations"]["get"]>;
export type Entry = inferOutput<Procedures["conversations"]["timeline"]>["data"][number];
export type MessageEntry = Extract<Entry, { kind: "message" }>;
export type NoteEntry = Extract<Entry, { kind: "note" }>;
export type RefusedEntry = Extract<Entry, { kind: "refused" }>;
export type ActEntry = Extract<Entry, { kind: "act" }>;
