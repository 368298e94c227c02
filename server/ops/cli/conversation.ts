import { findConversation } from "./claim";
import { CommandError, parseId, type AddCommands } from "./command";

export const addConversationCommands: AddCommands = (program, run) => {
  program
    .command("conversation")
    .description("conversations with customers")
    .command("show")
    .description("show the status, the assignee and the time of the customer's last message")
    .argument("<thread>", "id of the conversation: the `thread_id` of the API", parseId)
    .option("--json", "print JSON only")
    .action((threadId: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const found = await findConversation(services.orm, threadId);
        if (!found) throw new CommandError("not_found", `There is no conversation ${threadId}.`);
        const { status, assigneeId, lastInboundAt } = found;
        const text = [
          `Status        ${status}`,
          `Assignee      ${assigneeId ?? "nobody"}`,
          `Last inbound  ${lastInboundAt?.toISOString() ?? "never"}`,
        ];
        const json = { status, assignee_id: assigneeId, last_inbound_at: lastInboundAt };
        return { json, text: text.join("\n") };
      }, options),
    );
};
