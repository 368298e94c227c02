import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppendFile, readLines } from "./files";
import { temporaryDirectory } from "./testing";

test("a line is in the file when its promise resolves, and lines keep their order", async () => {
  const path = join(await temporaryDirectory(), "lines");
  const file = await AppendFile.open(path, 0);
  const lines = Array.from({ length: 1000 }, (_, index) => `${index} ä\u2028`);
  const seenAtOnce: boolean[] = [];
  await Promise.all(
    lines.map(async (line, index) => {
      await file.append(line);
      if (index % 100 === 0) seenAtOnce.push((await readFile(path, "utf8")).includes(`${line}\n`));
    }),
  );
  expect(seenAtOnce).toEqual(Array.from({ length: 10 }, () => true));
  expect(await readFile(path, "utf8")).toBe(lines.map((line) => `${line}\n`).join(""));
  expect(file.size).toBe(Buffer.byteLength(lines.map((line) => `${line}\n`).join("")));
  await file.close();
});

test("a line that can't be written is refused and leaves nothing", async () => {
  const path = join(await temporaryDirectory(), "lines");
  const file = await AppendFile.open(path, 0);
  await file.append("kept");
  await file.close();
  await expect(file.append("lost")).rejects.toThrow("file closed");
  expect(await readFile(path, "utf8")).toBe("kept\n");
});

test("reading gives whole lines, however they fall into pieces, and tells where they end", async () => {
  const path = join(await temporaryDirectory(), "lines");
  const lines = Array.from({ length: 30 }, (_, index) => "é\u2028".repeat(index * 1000));
  const whole = lines.map((line) => `${line}\n`).join("");
  await writeFile(path, `${whole}torn`);
  const read: string[] = [];
  let end = 0;
  for await (const piece of readLines(path, { start: 0, end: Buffer.byteLength(whole) + 4 })) {
    read.push(...piece.lines);
    end = piece.nextOffset;
  }
  expect(read).toEqual(lines);
  expect(end).toBe(Buffer.byteLength(whole));
});
