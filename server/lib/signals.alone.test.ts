import { expect, onTestFinished, test } from "vitest";
import { onSignals } from "./signals";

test("a signal that comes twice at once is handled once, and one that comes later again", () => {
  const handled: string[] = [];
  let nowMs = 0;
  onSignals(
    ["SIGUSR2", "SIGHUP"],
    (signal) => void handled.push(signal),
    () => nowMs,
  );
  onTestFinished(() => void process.removeAllListeners("SIGUSR2").removeAllListeners("SIGHUP"));
  const send = (signal: NodeJS.Signals, atMs: number) => {
    nowMs = atMs;
    process.emit(signal, signal);
  };
  send("SIGUSR2", 5);
  send("SIGUSR2", 300);
  send("SIGHUP", 900);
  expect(handled).toEqual(["SIGUSR2"]);
  send("SIGHUP", 1_005);
  expect(handled).toEqual(["SIGUSR2", "SIGHUP"]);
});
