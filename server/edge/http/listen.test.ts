import { once } from "node:events";
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { answerTo } from "@/e2e/support/http-servers";
import { closeServer, listen } from "./listen";

const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

async function serve(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer);
  return { server, port: await listen(server, 0, "127.0.0.1") };
}

/** A client with persistent connections. Returns the status and `Connection`, or the error code. */
function keepingClient(port: number) {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return async (): Promise<string> => {
    const call = request({ port, host: "127.0.0.1", agent });
    call.end();
    try {
      const [answer] = (await once(call, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
      return `${answer.statusCode} ${answer.headers.connection}`;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
  };
}

describe("a server that closes", () => {
  test("takes requests on kept and on new connections through the grace, and says that it lets go of each", async () => {
    const { server, port } = await serve((_req, res) => res.end("ok"));
    const send = keepingClient(port);
    expect(await send()).toBe("200 keep-alive");
    let isClosed = false;
    const closing = closeServer(server, { graceMs: 500 }).then(() => (isClosed = true));
    expect([await send(), await send(), await send()]).toEqual(["200 close", "200 close", "200 close"]);
    expect(isClosed).toBe(false);
    await closing;
    expect(await send()).toBe("ECONNREFUSED");
  });

  test("cuts no request of clients that go on sending, as long as each sends within the grace", async () => {
    // Longer than a request takes to arrive, so that unread requests are often waiting.
    const { server, port } = await serve((_req, res) => {
      for (const endsAt = performance.now() + 2; performance.now() < endsAt;) continue;
      res.end("ok");
    });
    const outcomes = new Map<string, number>();
    const client = async () => {
      const send = keepingClient(port);
      for (let last = ""; last !== "ECONNREFUSED"; outcomes.set(last, (outcomes.get(last) ?? 0) + 1)) {
        await delay(Math.random() * 60);
        last = await send();
      }
    };
    const clients = Promise.all(Array.from({ length: 24 }, client));
    while ((outcomes.get("200 keep-alive") ?? 0) < 50) await delay(5);
    await closeServer(server, { graceMs: 300 });
    await clients;
    expect([...outcomes.keys()].sort()).toEqual(["200 close", "200 keep-alive", "ECONNREFUSED"]);
  });

  test("says so in the answer to a request of which a part had come", async () => {
    const { server, port } = await serve((req, res) => req.resume().once("end", () => res.end("ok")));
    const call = request({ port, host: "127.0.0.1", method: "POST", agent: new Agent({ keepAlive: true }) });
    call.write("half");
    await once(server, "request");
    const closed = closeServer(server, { graceMs: 100 });
    call.end(" and half");
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.headers).toMatchObject({ connection: "close" });
    expect(answer.headers["keep-alive"]).toBeUndefined();
    await closed;
  });

  test("says so in the last of the answers that are under way on a connection", async () => {
    const answers: ServerResponse[] = [];
    const { server, port } = await serve((_req, res) => void answers.push(res));
    const ask = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const reported = answerTo(port, [ask, ask]);
    while (answers.length < 2) await once(server, "request");
    const closed = closeServer(server);
    for (const answer of answers) answer.end("ok");
    expect((await reported).match(/^Connection: .*$/gm)).toEqual([
      "Connection: keep-alive",
      "Connection: close",
    ]);
    await closed;
  });

  test("lets a request under way end, and is not held up by connections that nobody uses", async () => {
    const { server, port } = await serve((_req, res) => void setTimeout(() => res.end("ok"), 300));
    const idle = keepingClient(port);
    await idle();
    const unused = connect(port, "127.0.0.1");
    const isCut = once(unused, "close");
    await once(unused, "connect");
    const late = keepingClient(port)();
    await once(server, "request");
    const startedAt = performance.now();
    await closeServer(server);
    expect(await late).toMatch(/^200 /);
    await isCut;
    // Far below the ten seconds that a request in progress may take.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});
