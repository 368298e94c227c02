import { createDemoOrganization } from "@/server/ops/demo/create";
import { greeting } from "@/server/ops/demo/greeting";
import type { AddCommands } from "./command";

export const addDemoCommand: AddCommands = (program, run) => {
  program
    .command("demo")
    .description("create another demo organization with two simulated channels, contacts and an API key")
    .option("--json", "print JSON only")
    .action((options: { json?: boolean }) =>
      run(async (attachment) => {
        const demo = await createDemoOrganization(attachment);
        return { json: demo, text: greeting(demo) };
      }, options),
    );
};
