import { crc32, deflateSync } from "node:zlib";

const SIDE = 96;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const HEADER = { bitDepth: 8, colourTypeRgb: 2 } as const;

/** Draws a small PNG (PNG specification, section 5): a disc on a gradient. */
export function demoPicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.writeUInt8(HEADER.bitDepth, 8);
  header.writeUInt8(HEADER.colourTypeRgb, 9);
  const lines = Array.from({ length: SIDE }, (_, y) => Buffer.from([0, ...lineOf(y)]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns red, green and blue of each pixel in the line. */
function lineOf(y: number): number[] {
  const middle = (SIDE - 1) / 2;
  return Array.from({ length: SIDE }, (_, x) => x).flatMap((x) =>
    Math.hypot(x - middle, y - middle) < SIDE / 3 ? [37, 211, 102] : [18, 60 + y, 90 + x],
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
