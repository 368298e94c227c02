/** One run of a program under `dev`. A message says what to run, and it ends when its supervisor is gone. */
import { runProgram } from "./commands.mjs";

/** @param {{ file: string, options: Parameters<typeof runProgram>[1] }} message */
function run({ file, options }) {
  process.channel?.unref();
  runProgram(file, options).catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

process.once("message", run);
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
