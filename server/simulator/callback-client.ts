import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** The used part of a response: its status and the first bytes of its body. */
export interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
}

export interface CallbackClientLimits {
  /** Time limit of one call, from its start to the last byte that is read. */
  readonly timeoutMs: number;
  /** Number of bytes read from a response. After more, the connection is closed. */
  readonly answerBytesMax: number;
  readonly connectionsMax: number;
}

/** Calls one receiver over persistent connections. Redirects are not followed. */
export class CallbackClient {
  readonly #url: URL;
  readonly #limits: CallbackClientLimits;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: string, limits: CallbackClientLimits) {
    this.#url = new URL(url);
    this.#limits = limits;
    const Agent = this.#url.protocol === "https:" ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: limits.connectionsMax });
  }

  post(body: Buffer, headers: Record<string, string>): Promise<CallbackAnswer> {
    return this.#call("POST", this.#url, body, {
      "content-type": "application/json",
      "content-length": String(body.length),
      ...headers,
    });
  }

  get(query: Record<string, string>): Promise<CallbackAnswer> {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return this.#call("GET", url, null, {});
  }

  /** Closes all connections. Calls in progress fail. */
  close(): void {
    this.#agent.destroy();
  }

  /** Resolves once the status is known and the body has ended, in whatever way. Rejects without a status. */
  #call(
    method: string,
    url: URL,
    content: Buffer | null,
    headers: Record<string, string>,
  ): Promise<CallbackAnswer> {
    return new Promise((resolve, reject) => {
      const request = url.protocol === "https:" ? httpsRequest : httpRequest;
      const call = request(url, {
        method,
        headers: { "user-agent": "facebookexternalua", ...headers },
        agent: this.#agent,
      });
      let answer: IncomingMessage | null = null;
      const timer = setTimeout(() => {
        if (answer === null) call.destroy(new Error("no answer in time"));
        else answer.destroy();
      }, this.#limits.timeoutMs);
      call.on("error", (error) => {
        if (answer === null) reject(error);
      });
      call.on("close", () => {
        clearTimeout(timer);
        if (answer === null) reject(new Error("closed without an answer"));
      });
      call.on("response", (begun) => {
        answer = begun;
        readCapped(begun, this.#limits.answerBytesMax, (body) =>
          resolve({ status: begun.statusCode ?? 0, body }),
        );
      });
      call.end(content ?? undefined);
    });
  }
}

function readCapped(answer: IncomingMessage, bytesMax: number, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => done(Buffer.concat(chunks).toString("utf8"));
  answer.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > bytesMax) answer.destroy();
    else chunks.push(chunk);
  });
  answer.on("error", finish);
  answer.on("end", finish);
  answer.on("close", finish);
}
