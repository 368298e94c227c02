import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import { createServer as createTcpServer, type Server } from "node:net";

/** A TLS server on loopback with a self-signed certificate. */
export async function serveTls() {
  let requests = 0;
  const server = createServer(selfSigned("localhost"), (_, res) => {
    requests += 1;
    res.end();
  });
  return { ...(await listening(server)), requests: () => requests };
}

/** A server on loopback that closes each connection when the first bytes arrive. */
export async function serveCuts() {
  return listening(createTcpServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
}

async function listening(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return {
    url: `https://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const SEQUENCE = 0x30;
const SET = 0x31;

/** Creates a minimal certificate for a name (RFC 5280, version 1), with a new key, for tests. Node can't create one. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(SEQUENCE, Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = Buffer.from("0603550403", "hex");
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, commonName, der(0x0c, Buffer.from(name)))));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const said = der(
    SEQUENCE,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    der(SEQUENCE, time("200101000000Z"), time("491231235959Z")),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", said, privateKey));
  const whole = der(SEQUENCE, said, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of ASN.1 in its distinguished encoding, up to 65,535 bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
