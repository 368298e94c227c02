import { freePort } from "@/e2e/support/free-port";
import { type Program, startProgram } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";

/** The upstream as a process of its own, which can be held up or killed. */
export interface SimulatorProcess {
  readonly url: string;
  /** It takes connections and bytes, and answers nothing until `resume`. */
  freeze(): void;
  resume(): void;
  /** `kill -9`, also of a frozen one; then starts it again on the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startSimulatorProcess(dataDir: string): Promise<SimulatorProcess> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  let program = await start();

  async function start(): Promise<Program> {
    const started = startProgram(["simulator"], { WAYPOST_SIMULATOR_PORT: port, WAYPOST_DATA_DIR: dataDir });
    const isListening = () => {
      if (!started.isRunning()) throw new Error(`The simulator ended:\n${started.stderr()}`);
      return started.stdout().includes(url);
    };
    await until("the simulator listens", isListening);
    return started;
  }

  async function kill(): Promise<void> {
    program.kill("SIGKILL");
    await program.ended;
  }

  return {
    url,
    freeze: () => program.kill("SIGSTOP"),
    resume: () => program.kill("SIGCONT"),
    async restart() {
      await kill();
      program = await start();
    },
    close: kill,
  };
}
