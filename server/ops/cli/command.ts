import { InvalidArgumentError, type Command } from "commander";
import { isScope, SCOPE_NAMES, type Scope } from "@/server/core/capabilities";
import type { Installation } from "@/server/ops/doctor/installation";
import { isUuid } from "@/server/lib/uuid";
import type { Attachment } from "./attach";

/** A command's result, for a program and for a person. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Defaults to 0. */
  readonly exitCode?: number;
}

/** An error of a command whose code isn't in the public API's catalogue. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** @param code stable, for programs; `message` is for people. */
  constructor(
    readonly code:
      | "not_found"
      | "file_unreadable"
      | "credentials_malformed"
      | "not_running"
      | "organization_not_named",
    message: string,
  ) {
    super(message);
  }
}

/** Runs a command's work over the database and prints its result. */
export type Run = (
  work: (attachment: Attachment) => Promise<Answer>,
  options: { json?: boolean },
) => Promise<void>;

/** Like `Run`, over whatever part of the installation is available, without changing anything. */
export type RunOnInstallation = (
  work: (installation: Installation) => Promise<Answer>,
  options: { json?: boolean },
) => Promise<void>;

/** The installation on this machine, for a command that doesn't need one. */
export interface OptionalInstallation {
  /** @throws CommandError `not_running` if none runs. */
  attach(): Promise<Attachment>;
  /** Address of the installation, if known. */
  url(): Promise<string>;
}

/** Resources of a command that runs until it is stopped. */
export interface Stoppable {
  readonly optionalInstallation: OptionalInstallation;
  /** Aborts when the person at the terminal stops the command, or the machine shuts down. */
  readonly stopping: AbortSignal;
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error. */
  readonly warn: (line: string) => void;
}

/** Runs a command's work that ends successfully when it is stopped. Its result is printed last. */
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

/** @throws InvalidArgumentError, which is a usage error, as for all parsers here. */
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

/** Returns a parser of whole numbers within the bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Formats columns of text, each below a heading. */
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
