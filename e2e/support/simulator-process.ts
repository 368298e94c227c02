import { freePort } from "@/e2e/support/free-port";
import { type Program, startProgram } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";

/** The upstream in its own process, which can be frozen or killed. */
export interface SimulatorProcess {
  readonly url: string;
  /** It accepts connections and bytes, but sends no response until `resume`. */
  freeze(): void;
  resume(): void;
  /** `kill -9`, even if frozen; then restarts it on the same port and data. */
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
