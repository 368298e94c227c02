import { type Command, InvalidArgumentError, Option } from "commander";
import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { type Erasure, eraseContact } from "@/server/domain/erasure/erase-contact";
import { WaypostError } from "@/server/platform/errors";
import { parseId, type AddCommands, type Answer } from "./command";
import { requireOrganization } from "./organization";

interface EraseOptions {
  readonly org: string;
  readonly contact?: string;
  readonly number?: string;
  readonly json?: boolean;
}

export const addContactCommands: AddCommands = (program, run) => {
  program
    .command("contact")
    .description("customers of an organization")
    .command("erase")
    .description("erase a customer's messages, numbers and names from every copy; can't be undone")
    .requiredOption("--org <id>", "organization of the contact", parseId)
    .addOption(
      new Option("--contact <id>", "the `contact_id` of the API").argParser(parseId).conflicts("number"),
    )
    .addOption(new Option("--number <number>", "all contacts with this number").argParser(parseNumber))
    .option("--json", "print JSON only")
    .action((options: EraseOptions, command: Command) => {
      const input = whom(options, command);
      return run(async ({ services }) => {
        const ctx = await requireOrganization(services, options.org, "cli contact erase");
        const erasure = await eraseContact({ ctx, input });
        if (erasure.contactIds.length === 0 && erasure.callbacks === 0) throw nobody();
        return answerOf(erasure);
      }, options);
    });
};

function whom(
  { contact, number }: EraseOptions,
  command: Command,
): { contactId: string } | { number: string } {
  if (contact !== undefined) return { contactId: contact };
  if (number !== undefined) return { number };
  return command.error("error: no contact given. Expected '--contact <id>' or '--number <number>'.");
}

/** Accepts any spelling that begins with the country code. */
function parseNumber(text: string): string {
  const number = text.replaceAll(/[\s()./+-]/g, "").replace(/^00/, "");
  if (!HANDLE_PATTERN.test(number))
    throw new InvalidArgumentError("Expected a number with country code, such as +49 151 12345678.");
  return number;
}

/** An error, so that a mistyped number doesn't look erased. */
function nobody(): WaypostError {
  const message = "No contact has this number, and no stored callback contains it. Check the number.";
  return new WaypostError("contact_not_found", { message });
}

function answerOf({ contactIds, ...counts }: Erasure): Answer {
  const { messages, failed, callbacks, uploads } = counts;
  const whose =
    contactIds.length === 0
      ? "No contact has this number."
      : `Erased: ${contactIds.map((id) => `contact ${id}`).join(", ")}.`;
  const text = [
    whose,
    `Messages   ${messages}, including messages from the customer; unsent messages that will never be sent: ${failed}`,
    `Callbacks  ${callbacks}`,
    `Files      ${uploads}`,
  ].join("\n");
  return { json: { contact_ids: contactIds, ...counts }, text };
}
