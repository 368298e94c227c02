const ANSWER_BYTES_MAX = 1_000_000;

export interface SimulatorAnswer {
  readonly status: number;
  readonly text: string;
}

export interface SimulatorCall {
  readonly method: "GET" | "POST" | "PUT";
  readonly body?: object;
  readonly signal: AbortSignal;
}

/**
 * Makes a call of the simulator's own API. Redirects are not followed. Reads at most the first megabyte of the body.
 * @throws Error if there is no response.
 */
export async function callSimulator(url: string, call: SimulatorCall): Promise<SimulatorAnswer> {
  const { status, bytes } = await fetchFromSimulator(url, call, ANSWER_BYTES_MAX);
  return { status, text: bytes.toString("utf8") };
}

/** The same for an answer of any type and size: its first bytes, up to `bytesMax` and one more if there are more. */
export async function fetchFromSimulator(
  url: string,
  { method, body, signal }: SimulatorCall,
  bytesMax: number,
): Promise<{ status: number; bytes: Buffer; contentType: string | null }> {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    redirect: "manual",
    signal,
  });
  const bytes = await readAtMost(response, bytesMax + 1);
  return { status: response.status, bytes, contentType: response.headers.get("content-type") };
}

/** Doesn't wait for the rest of a response that is too long. */
async function readAtMost(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
