/** A program that receives webhooks, with the published package. */
export const RECEIVER = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
// In production, use a unique column in your database, shared by all processes.
const processedIds = new Set<string>();

createServer(async (request, response) => {
  // The raw body: if you parse and serialize it again, the bytes differ.
  const body = await text(request);
  try {
    webhook.verify(body, request.headers as Record<string, string>);
  } catch {
    response.writeHead(401).end();
    return;
  }
  // The id is the same at every endpoint, and if the event is sent again.
  const id = String(request.headers["webhook-id"]);
  if (!processedIds.has(id)) {
    processedIds.add(id);
    const { type, data } = JSON.parse(body);
    console.log(id, type, data);
  }
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 4000));`;

export const TYPESCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 5 * 60;

/** Header names are in lower case; the body is the raw body. */
export function isGenuine(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
): boolean {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !timestamp || !signatures) return false;

  // An old webhook may be a replay: somebody has seen it and sends it again.
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false;

  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key);
  const expected = hmac.update(\`\${id}.\${timestamp}.\`).update(body).digest();
  // After a rotation there are several signatures: any match is enough.
  return signatures.split(" ").some((one) => {
    const [version, base64 = ""] = one.split(",");
    const given = Buffer.from(base64, "base64");
    if (version !== "v1" || given.length !== expected.length) return false;
    // Compare in constant time, so that nobody can guess it byte by byte.
    return timingSafeEqual(given, expected);
  });
}`;

export const PYTHON = `import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 5 * 60


def is_genuine(secret: str, headers, body: bytes) -> bool:
    """Header names are in lower case; the body is the raw body."""
    message_id = headers.get("webhook-id") or ""
    timestamp = headers.get("webhook-timestamp") or ""
    signatures = headers.get("webhook-signature") or ""
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        return False

    # An old webhook may be a replay: somebody has seen it and sends it again.
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # After a rotation there are several signatures: any match is enough.
    # Compare in constant time, so that nobody can guess it byte by byte.
    return any(
        hmac.compare_digest(expected, given.encode())
        for given in signatures.split()
    )`;

/** The body is in the file `body.json`. */
export const OPENSSL = `KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A |
  od -An -v -tx1 | tr -d ' \\n')
printf v1,
{ printf %s "$WEBHOOK_ID.$WEBHOOK_TIMESTAMP."; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A`;

export const POST_SIGNED = `EVENT_ID=test-1
BODY="{\\"id\\":\\"$EVENT_ID\\",\\"type\\":\\"webhook.test\\",\\"timestamp\\":\\"2026-01-31T12:00:00Z\\",\\"data\\":{}}"
TIMESTAMP=$(date +%s)
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A |
  od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$EVENT_ID.$TIMESTAMP.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)
curl -sS -i "$RECEIVER_URL" \\
  -H "Content-Type: application/json" \\
  -H "webhook-id: $EVENT_ID" \\
  -H "webhook-timestamp: $TIMESTAMP" \\
  -H "webhook-signature: v1,$SIGNATURE" \\
  -d "$BODY"`;
