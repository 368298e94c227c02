import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port";
import { limitMs } from "./machine-speed";
import { until } from "./until";

/** Names a program to use instead of the one on the PATH. */
export const REDIS_SERVER_VARIABLE = "REDIS_SERVER_PATH";
export const REDIS_PROGRAMS = ["redis-server", "valkey-server"] as const;
const ANSWER_MS_MAX = limitMs(20_000);

/** A real Redis or Valkey, on the loopback address, empty. */
export interface RedisServer {
  /** A value for REDIS_URL. */
  readonly url: string;
  readonly port: number;
  /** Null if it requires none. */
  readonly password: string | null;
  readonly pid: () => number;
  /** `kill -9`; its data is lost. */
  kill(): Promise<void>;
  /** Restarts it on the same port, empty, after `kill`. @param password a different one from now on. */
  start(password?: string | null): Promise<void>;
  /** Accepts connections and sends no responses, until `resume`. */
  pause(): void;
  resume(): void;
  /** Returns the raw response to an inline command. */
  ask(command: string): Promise<string>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

/** Starts a Redis or Valkey. @throws Error saying what to install if the program is missing. */
export async function startRedis({
  password = null,
}: { password?: string | null } = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-redis-"));
  const port = await freePort();
  const authority = (secret: string | null) => (secret === null ? "" : `:${encodeURIComponent(secret)}@`);
  let secret = password;
  let child = await launch({ directory, port, password: secret });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  };
  return {
    get url() {
      return `redis://${authority(secret)}127.0.0.1:${port}`;
    },
    port,
    get password() {
      return secret;
    },
    pid: () => child.pid ?? 0,
    kill,
    async start(next = secret) {
      secret = next;
      child = await launch({ directory, port, password: secret });
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    ask: (command) => converse(port, secret, command),
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Launch {
  readonly directory: string;
  readonly port: number;
  readonly password: string | null;
}

async function launch({ directory, port, password }: Launch): Promise<ChildProcess> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const secret = password === null ? [] : ["--requirepass", password];
  const child = await spawnFirst([...settings, ...secret, "--dir", directory]);
  endWithThisProcess(child);
  await until("redis-server answers", async () => {
    if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
    return (await converse(port, password, "PING").catch(() => "")).includes("PONG");
  });
  return child;
}

/** However this process ends: a shell waits for that, and then stops the server. */
function endWithThisProcess(child: ChildProcess): void {
  const script = `read -r _; kill -9 ${child.pid}`;
  const guard = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.unref();
  child.once("close", () => guard.kill("SIGKILL"));
}

async function spawnFirst(args: readonly string[]): Promise<ChildProcess> {
  const named = process.env[REDIS_SERVER_VARIABLE];
  for (const program of named ? [named] : REDIS_PROGRAMS) {
    const child = spawn(program, args, { stdio: "ignore" });
    const isThere = await new Promise<boolean>((resolve) => {
      child.once("spawn", () => resolve(true));
      child.once("error", () => resolve(false));
    });
    if (isThere) return child;
  }
  throw new Error(
    `No redis-server here: install Redis or Valkey (Debian: apt-get install redis-server), or name one in ${REDIS_SERVER_VARIABLE}`,
  );
}

/**
 * Sends one inline command on its own connection, followed by QUIT: the connection's end is the end of the response.
 */
async function converse(port: number, password: string | null, command: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error("redis-server doesn't answer")));
  const login = password === null ? "" : `AUTH ${password}\r\n`;
  socket.end(`${login}${command}\r\nQUIT\r\n`);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
