import { randomBytes } from "node:crypto";

/** Meta's id format: base64 of a small binary record that contains the customer's number and a random hex tail. */
const wamidLayout = {
  outbound: { marker: [0x15, 0x02, 0x00, 0x11, 0x18, 0x12], randomBytes: 9 },
  inbound: { marker: [0x15, 0x02, 0x00, 0x12, 0x18, 0x14], randomBytes: 10 },
} as const;

/**
 * Creates a WhatsApp message id, `wamid.` and base64. `customer` is the customer's number in digits. At least 72 random
 * bits make it unique.
 */
export function newWamid(direction: keyof typeof wamidLayout, customer: string): string {
  const layout = wamidLayout[direction];
  const tail = randomBytes(layout.randomBytes).toString("hex").toUpperCase();
  const record = Buffer.concat([
    Buffer.from([0x1c, 0x18, customer.length]),
    Buffer.from(customer, "latin1"),
    Buffer.from(layout.marker),
    Buffer.from(tail, "latin1"),
    Buffer.from([0]),
  ]);
  return `wamid.${record.toString("base64")}`;
}

/** Creates the trace id of a Graph error. */
export function newTraceId(): string {
  return `A${randomBytes(17).toString("base64url").slice(0, 22)}`;
}
