import { createHash, randomBytes } from "node:crypto";

/** Meta's id format: base64 of a small binary record that contains the customer's number and a hex tail. */
const layouts = {
  outbound: { marker: [0x15, 0x02, 0x00, 0x11, 0x18, 0x12], tailBytes: 9 },
  inbound: { marker: [0x15, 0x02, 0x00, 0x12, 0x18, 0x14], tailBytes: 10 },
} as const;

type Direction = keyof typeof layouts;

/** The keys of the table. `Object.keys` of a const object that nothing extends, hence the cast. */
const directions = Object.keys(layouts) as Direction[];

/** Messages that take a reaction, and those that don't. */
type WamidKind = "message" | "reaction";

/** The tail ends with a check of the rest. By it, the simulator knows its own ids without remembering them. */
const checkBytes = 2;

/**
 * Creates a WhatsApp message id, `wamid.` and base64. `customer` is the customer's number in digits, or an id. At least
 * 56 random bits make it unique.
 */
export function newWamid(direction: Direction, customer: string, kind: WamidKind = "message"): string {
  const { marker, tailBytes } = layouts[direction];
  const random = randomBytes(tailBytes - checkBytes);
  const tail = Buffer.concat([random, checkOf(customer, random, kind)])
    .toString("hex")
    .toUpperCase();
  const record = Buffer.concat([
    Buffer.from([0x1c, 0x18, customer.length]),
    Buffer.from(customer, "latin1"),
    Buffer.from(marker),
    Buffer.from(tail, "latin1"),
    Buffer.from([0]),
  ]);
  return `wamid.${record.toString("base64")}`;
}

function checkOf(customer: string, random: Buffer, kind: WamidKind): Buffer {
  return createHash("sha256").update(`${kind}:${customer}:`).update(random).digest().subarray(0, checkBytes);
}

interface WamidFacts {
  readonly direction: Direction;
  readonly customer: string;
  readonly kind: WamidKind;
}

/** Reads an id that `newWamid` created. Null for any other text. */
export function readWamid(wamid: string): WamidFacts | null {
  const record = Buffer.from(wamid.replace(/^wamid\./, ""), "base64");
  const end = 3 + (record[2] ?? 0);
  const customer = record.toString("latin1", 3, end);
  const rest = record.subarray(end);
  for (const direction of directions) {
    const { marker, tailBytes } = layouts[direction];
    if (!rest.subarray(0, marker.length).equals(Buffer.from(marker))) continue;
    const tail = Buffer.from(rest.toString("latin1", marker.length, marker.length + 2 * tailBytes), "hex");
    const random = tail.subarray(0, -checkBytes);
    const check = tail.subarray(-checkBytes);
    for (const kind of ["message", "reaction"] as const) {
      if (tail.length === tailBytes && check.equals(checkOf(customer, random, kind)))
        return { direction, customer, kind };
    }
  }
  return null;
}
