import { Command } from "commander";
import { addChannelCommands } from "./channel";
import type { Run, RunOnInstallation } from "./command";
import { addContactCommands } from "./contact";
import { addConversationCommands } from "./conversation";
import { addDemoCommand } from "./demo";
import { addDoctorCommand } from "./doctor";
import { addKeyCommands } from "./key";
import { addOrganizationCommands } from "./organization";
import { addUploadCommands } from "./upload";

const COMMANDS = [
  addOrganizationCommands,
  addKeyCommands,
  addChannelCommands,
  addContactCommands,
  addConversationCommands,
  addUploadCommands,
  addDemoCommand,
  addDoctorCommand,
] as const;

/** Adds every command to the program. */
export function addCommands(program: Command, run: Run, runOnInstallation: RunOnInstallation): void {
  for (const add of COMMANDS) add(program, run, runOnInstallation);
}

export interface CommandDescription {
  /** Noun, verb and arguments, such as `key rotate <id>`. */
  readonly name: string;
  readonly description: string;
}

/** Every command, in the words of `--help`. */
export function describeCommands(): readonly CommandDescription[] {
  const program = new Command();
  const notRun = () => Promise.reject(new Error("Commands that are only described aren't run"));
  addCommands(program, notRun, notRun);
  return program.commands.flatMap((command) => describe(command, ""));
}

function describe(command: Command, noun: string): readonly CommandDescription[] {
  const name = `${noun}${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((verb) => describe(verb, `${name} `));
  const values = command.registeredArguments.map((value) =>
    value.required ? `<${value.name()}>` : `[${value.name()}]`,
  );
  return [{ name: [name, ...values].join(" "), description: command.description() }];
}
