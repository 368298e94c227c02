import { Command, type HelpConfiguration } from "commander";
import { addChannelCommands } from "./channel";
import type { AddCommands } from "./command";
import { addContactCommands } from "./contact";
import { addConversationCommands } from "./conversation";
import { addDemoCommand } from "./demo";
import { addDoctorCommand } from "./doctor";
import { addKeyCommands } from "./key";
import { addMemberCommands } from "./member";
import { addOrganizationCommands } from "./organization";
import { addUploadCommands } from "./upload";
import { addWebhookCommands } from "./webhook";

const COMMANDS = [
  addOrganizationCommands,
  addMemberCommands,
  addKeyCommands,
  addChannelCommands,
  addContactCommands,
  addConversationCommands,
  addUploadCommands,
  addWebhookCommands,
  addDemoCommand,
  addDoctorCommand,
] as const;

/** Adds every command to the program. */
export const addCommands: AddCommands = (program, ...runners) => {
  for (const add of COMMANDS) add(program, ...runners);
};

export interface CommandDescription {
  /** Noun, verb and arguments, such as `key rotate <id>`. */
  readonly name: string;
  readonly description: string;
}

/** Describes every command, in the words of `--help`. */
export function describeCommands(): readonly CommandDescription[] {
  const program = new Command();
  const notRun = () => Promise.reject(new Error("Commands that are only described aren't run"));
  addCommands(program, notRun, notRun, notRun);
  return verbsOf(program).map((verb) => ({ name: nameOf(verb), description: verb.description() }));
}

/** Makes `--help` list all commands with their full names. The help of a noun lists its own. */
export const HELP_OF_ALL: HelpConfiguration = {
  visibleCommands: (command) => [...verbsOf(command)],
  subcommandTerm: nameOf,
};

function verbsOf(command: Command): readonly Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? verbsOf(one) : one));
}

/** Returns noun, verb and arguments. */
function nameOf(verb: Command): string {
  const values = verb.registeredArguments.map((value) =>
    value.required ? `<${value.name()}>` : `[${value.name()}]`,
  );
  return [...nounsOf(verb), verb.name(), ...values].join(" ");
}

/** From the outermost noun on, without the program's own name. */
function nounsOf({ parent }: Command): readonly string[] {
  return parent?.parent ? [...nounsOf(parent), parent.name()] : [];
}
