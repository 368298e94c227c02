import type { Command } from "commander";
import { setKey } from "@/server/domain/keys/set";
import { LIMIT_MAX } from "@/server/adapters/limits/policies";
import { type Run, wholeNumber } from "./command";
import { requireKey } from "./require-key";

interface SetOptions {
  readonly sendLimit?: number;
  readonly readLimit?: number;
  readonly json?: boolean;
}

export function addKeySetCommand(key: Command, run: Run): void {
  key
    .command("set")
    .description("set a key's rate limits; they apply from its next request")
    .argument("<id>", "id of the key")
    .option("--send-limit <n>", "send requests per minute; unchanged if not given", wholeNumber(1, LIMIT_MAX))
    .option("--read-limit <n>", "read requests per minute; unchanged if not given", wholeNumber(1, LIMIT_MAX))
    .option("--json", "print JSON only")
    .action((keyId: string, options: SetOptions, command: Command) => {
      const { sendLimit, readLimit } = options;
      if (sendLimit === undefined && readLimit === undefined)
        command.error("error: nothing to change. Expected '--send-limit <n>' or '--read-limit <n>'.");
      return run(async ({ services }) => {
        const ctx = await requireKey(services, keyId, "cli key set");
        const limits = await setKey({ ctx, input: { keyId, sendLimit, readLimit } });
        return {
          json: { id: keyId, send_limit: limits.sendLimit, read_limit: limits.readLimit },
          text: `Key ${keyId} may make ${limits.sendLimit} send requests and ${limits.readLimit} read requests per minute.`,
        };
      }, options);
    });
}
