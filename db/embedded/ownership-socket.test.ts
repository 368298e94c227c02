import { spawn } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  abstractOwnershipSocket,
  pathOwnershipSocket,
  type OwnershipSocket,
} from "@/db/embedded/ownership-socket";
import { removeDirectory, temporaryDirectory } from "@/db/embedded/testing";

const greeting = { kind: "server", pid: process.pid } as const;
let directory: string;
let count = 0;
beforeAll(async () => void (directory = await temporaryDirectory()));
afterAll(() => removeDirectory(directory));

const freshName = () => `test-${process.pid}-${count++}`;
const claimAll = (socket: OwnershipSocket) =>
  Promise.all(Array.from({ length: 8 }, () => socket.claim(greeting)));

const kinds: [string, (name: string) => OwnershipSocket][] = [
  ["a socket file", (name) => pathOwnershipSocket(directory, name)],
];
if (process.platform === "linux") kinds.push(["an abstract socket", abstractOwnershipSocket]);

describe.each(kinds)("ownership by %s", (_, socketNamed) => {
  it("goes to exactly one of many who claim it at once", async () => {
    const held = (await claimAll(socketNamed(freshName()))).filter((one) => one !== null);
    expect(held).toHaveLength(1);
    await held[0]?.();
  });

  it("tells who holds it, and nothing once it is free", async () => {
    const socket = socketNamed(freshName());
    const letGo = await socket.claim(greeting);
    const living = await socket.ask();
    expect(living?.greeting).toEqual(greeting);
    await letGo?.();
    await living?.gone;
    expect(await socket.ask()).toBeNull();
  });

  it("can be claimed again after it was let go", async () => {
    const socket = socketNamed(freshName());
    await (
      await socket.claim(greeting)
    )?.();
    const letGo = await socket.claim(greeting);
    expect(letGo).not.toBeNull();
    await letGo?.();
  });

  it("keeps different names apart", async () => {
    const held = await Promise.all([
      socketNamed(freshName()).claim(greeting),
      socketNamed(freshName()).claim(greeting),
    ]);
    expect(held).not.toContain(null);
    for (const letGo of held) await letGo?.();
  });
});

describe("ownership by a socket file", () => {
  /** Creates the file of a holder that was killed with kill -9. */
  const leaveStaleFile = async (name: string) => {
    const path = join(directory, `${name}.sock`);
    const program = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("listens"))`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    await access(path);
  };

  it("goes to exactly one of many who find the file of a dead holder", async () => {
    const name = freshName();
    await leaveStaleFile(name);
    const socket = pathOwnershipSocket(directory, name);
    expect(await socket.ask()).toBeNull();
    const held = (await claimAll(socket)).filter((one) => one !== null);
    expect(held).toHaveLength(1);
    expect((await socket.ask())?.greeting).toEqual(greeting);
    await held[0]?.();
  });
});

describe("the greeting", () => {
  it.each([
    ["isn't JSON", "hello\n"],
    ["is of another shape", '{"kind":"guest","pid":1}\n'],
    ["never ends", "x".repeat(5000)],
  ])("counts as none when it %s, and the holder as living", async (_, words) => {
    const name = freshName();
    const rude = createServer((socket) => socket.on("error", () => undefined).write(words));
    await new Promise<void>((resolve) => rude.listen(join(directory, `${name}.sock`), resolve));
    const living = await pathOwnershipSocket(directory, name).ask();
    expect(living).not.toBeNull();
    expect(living?.greeting).toBeNull();
    living?.hangUp();
    rude.close();
  });
});
