import { examine, type Examination } from "@/server/ops/doctor/examine";
import { STATES } from "@/server/ops/doctor/finding";
import type { Line } from "@/server/ops/doctor/perform";
import type { AddCommands, Answer } from "./command";

const EXIT_FAILED = 1;

export const addDoctorCommand: AddCommands = (program, _, runOnInstallation) => {
  program
    .command("doctor")
    .description(
      "check the database, migrations, limiter, jobs, upstream, callbacks, webhooks, secret, clock and disk; exit code 1 if a check fails",
    )
    .option("--json", "print JSON only")
    .action((options: { json?: boolean }) =>
      runOnInstallation(async (installation) => report(await examine(installation)), options),
    );
};

function report(examination: Examination): Answer {
  const { state, lines } = examination;
  const counts = STATES.map((one) => `${lines.filter((line) => line.state === one).length} ${one}`);
  const text = [...lines.map(asText), "", counts.join(", ")];
  return {
    json: { state, checks: lines },
    text: text.join("\n"),
    exitCode: state === "fail" ? EXIT_FAILED : 0,
  };
}

const STATE_WIDTH = Math.max(...STATES.map((state) => state.length));

function asText({ check, what, state, seen, remedy }: Line): string {
  const name = what === check ? check : `${check}: ${what}`;
  const indent = " ".repeat(STATE_WIDTH + 2);
  const line = `${state.padEnd(STATE_WIDTH)}  ${name}: ${seen}`;
  return remedy === null ? line : `${line}\n${indent}→ ${remedy}`;
}
