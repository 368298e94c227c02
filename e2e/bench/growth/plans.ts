import { z } from "zod";
import type { Sql } from "@/db/client";

/** A statement as PostgreSQL ran it. */
export interface RanStatement {
  readonly text: string;
  readonly durationMs: number;
  /** Shared blocks that were accessed, in memory or not. */
  readonly blocks: number;
  /** Number of descents per index. */
  readonly searches: Readonly<Record<string, number>>;
  /** Inserted or updated rows, by table. */
  readonly writes: Readonly<Record<string, number>>;
  /** Its plan nodes, from the last to the first. */
  readonly plan: readonly string[];
}

interface PlanNode {
  readonly "Node Type": string;
  readonly Operation?: string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Searches"?: number;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    Operation: z.string().optional(),
    "Relation Name": z.string().optional(),
    "Index Name": z.string().optional(),
    "Index Searches": z.number().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Shared Hit Blocks": z.number(),
    "Shared Read Blocks": z.number(),
    Plans: z.array(nodeSchema).optional(),
  }),
);

const explainedSchema = z.object({ "Query Text": z.string(), Plan: nodeSchema });

const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_parameter_max_length": "0",
} as const;

/** Has PostgreSQL report the plan and figures of every statement in the database, from the next connection on. */
export async function explainStatements(sql: Sql): Promise<void> {
  const [row] = await sql<{ database: string }[]>`select current_database() as database`;
  for (const [name, value] of Object.entries(SETTINGS)) {
    await sql.unsafe(`alter database "${row?.database}" set ${name} = '${value}'`);
  }
}

interface Notice {
  readonly message?: string | undefined;
  /** The context: a function, or the check of a foreign key. */
  readonly where?: string | undefined;
}

export interface StatementLog {
  /** For a pool whose connections were created after `explainStatements`. */
  readonly onNotice: (notice: Notice) => void;
  /** Returns statements that ended since the last call, in order. */
  take(): RanStatement[];
}

export function createStatementLog(): StatementLog {
  let ran: RanStatement[] = [];
  return {
    onNotice(notice) {
      const statement = readNotice(notice);
      if (statement !== null) ran.push(statement);
    },
    take() {
      const taken = ran;
      ran = [];
      return taken;
    },
  };
}

/** Null for other notices, and for a statement within a function: its caller includes it. */
export function readNotice({ message = "", where = "" }: Notice): RanStatement | null {
  const [, duration, plan] = /^duration: ([0-9.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? [];
  if (duration === undefined || plan === undefined) return null;
  const isKeyCheck = /FOR KEY SHARE/.test(where);
  if (where !== "" && !isKeyCheck) return null;
  const explained = explainedSchema.parse(JSON.parse(plan));
  const { Plan: top } = explained;
  const searches: Record<string, number> = {};
  const writes: Record<string, number> = {};
  const steps: string[] = [];
  walk(top, (node) => {
    steps.push([node["Node Type"], node["Index Name"] ?? node["Relation Name"]].filter(Boolean).join(" on "));
    const index = node["Index Name"];
    if (index !== undefined) searches[index] = (searches[index] ?? 0) + (node["Index Searches"] ?? 0);
    const table = node["Relation Name"];
    const isWrite = node["Node Type"] === "ModifyTable" && node.Operation !== "Delete";
    if (isWrite && table !== undefined) writes[table] = (writes[table] ?? 0) + rowsInto(node);
  });
  return {
    text: explained["Query Text"].replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim(),
    durationMs: Number(duration),
    blocks: top["Shared Hit Blocks"] + top["Shared Read Blocks"],
    searches,
    writes,
    plan: steps,
  };
}

/** Returns the rows that a writing node received from the node below. */
function rowsInto({ Plans = [] }: PlanNode): number {
  const [source] = Plans;
  return source === undefined ? 0 : source["Actual Rows"] * source["Actual Loops"];
}

function walk(node: PlanNode, visit: (node: PlanNode) => void): void {
  visit(node);
  for (const child of node.Plans ?? []) walk(child, visit);
}
