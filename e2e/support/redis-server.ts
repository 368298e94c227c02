import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port";
import { limitMs } from "./machine-speed";
import { until } from "./until";

/** Names a program to use in place of the one on the PATH. */
export const REDIS_SERVER_VARIABLE = "REDIS_SERVER_PATH";
export const REDIS_PROGRAMS = ["redis-server", "valkey-server"] as const;
const ANSWER_MS_MAX = limitMs(20_000);

/** A real Redis or Valkey of its own, on the loopback address, with nothing in it. */
export interface RedisServer {
  /** A value for REDIS_URL. */
  readonly url: string;
  readonly port: number;
  /** Null where it asks for none. */
  readonly password: string | null;
  readonly pid: () => number;
  /** `kill -9`; what it held is gone. */
  kill(): Promise<void>;
  /** Again on the same port, empty, after `kill`. @param password another one from now on. */
  start(password?: string | null): Promise<void>;
  /** Accepts connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  /** The answer to an inline command as it comes over the wire. */
  ask(command: string): Promise<string>;
  /** Ends it and removes what it wrote. */
  close(): Promise<void>;
}

/** @throws Error saying what to install when the program is missing. */
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

/** However this process ends: a shell waits for that, and ends the server then. */
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

/** One inline command on a connection of its own, with QUIT after it: its end is the end of the answer. */
async function converse(port: number, password: string | null, command: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error("redis-server doesn't answer")));
  const login = password === null ? "" : `AUTH ${password}\r\n`;
  socket.end(`${login}${command}\r\nQUIT\r\n`);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
