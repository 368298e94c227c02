import { InvalidArgumentError, type Command } from "commander";
import { isScope, SCOPE_NAMES, type Scope } from "@/server/core/capabilities";
import type { Installation } from "@/server/ops/doctor/installation";
import { isUuid } from "@/server/lib/uuid";
import type { Attachment } from "./attach";

/** What a command answers: for a program, and for a person. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** 0 when not given. */
  readonly exitCode?: number;
}

/** A refusal of a command that has no code of the public API's catalogue. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** @param code stable, for programs; `message` is for people. */
  constructor(
    readonly code:
      "not_found" | "file_unreadable" | "credentials_malformed" | "not_running" | "organization_not_named",
    message: string,
  ) {
    super(message);
  }
}

/** Runs a command's work over the database and prints what it answers. */
export type Run = (
  work: (attachment: Attachment) => Promise<Answer>,
  options: { json?: boolean },
) => Promise<void>;

/** The same over whatever of the installation can be reached, changing nothing. */
export type RunOnInstallation = (
  work: (installation: Installation) => Promise<Answer>,
  options: { json?: boolean },
) => Promise<void>;

/** The installation on this machine, for a command that can do without one. */
export interface OptionalInstallation {
  /** @throws CommandError `not_running` where none runs. */
  attach(): Promise<Attachment>;
  /** Where it is reached, as far as it tells. */
  url(): Promise<string>;
}

/** What a command works with that goes on until it is told to stop. */
export interface Stoppable {
  readonly optionalInstallation: OptionalInstallation;
  /** Aborts when the person at the terminal has had enough, or the machine ends. */
  readonly stopping: AbortSignal;
  /** A line on standard output. */
  readonly print: (line: string) => void;
  /** A line on standard error. */
  readonly warn: (line: string) => void;
}

/** Runs a command's work that ends by itself, and well, when it is told to stop; its answer is printed last. */
export type RunUntilStopped = (
  work: (stoppable: Stoppable) => Promise<Answer>,
  options: { json?: boolean },
) => Promise<void>;

/** Adds a command's nouns and verbs to the program. */
export type AddCommands = (
  program: Command,
  run: Run,
  runOnInstallation: RunOnInstallation,
  runUntilStopped: RunUntilStopped,
) => void;

/** @throws InvalidArgumentError, which is a usage error, as all parsers here. */
export function parseId(text: string): string {
  if (!isUuid(text))
    throw new InvalidArgumentError("Expected an id such as 01890a5d-ac96-774b-bcce-b302099a8057.");
  return text.toLowerCase();
}

export function parseIds(text: string): string[] {
  return text.split(",").map((id) => parseId(id.trim()));
}

export function parseScopes(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = name.trim();
    if (!isScope(scope))
      throw new InvalidArgumentError(`Expected a comma-separated list of ${SCOPE_NAMES.join(", ")}.`);
    return scope;
  });
}

/** A parser of whole numbers within the bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Columns of text under a heading each. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
