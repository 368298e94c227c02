const ANSWER_BYTES_MAX = 1_000_000;

export interface SimulatorAnswer {
  readonly status: number;
  /** At most the first megabyte of the body. */
  readonly text: string;
}

/** Makes a call of the simulator's own API. Redirects are not followed. @throws Error if there is no response. */
export async function callSimulator(
  url: string,
  { method, body, signal }: { method: "POST" | "PUT"; body: object; signal: AbortSignal },
): Promise<SimulatorAnswer> {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    signal,
  });
  return { status: response.status, text: await readAtMost(response, ANSWER_BYTES_MAX) };
}

/** Doesn't wait for the rest of a response that is too long. */
async function readAtMost(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, bytesMax);
}
