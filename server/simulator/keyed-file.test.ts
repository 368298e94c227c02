import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { AppendFile, KeyedFile } from "./files";
import { silentLog, temporaryDirectory } from "./testing";

const schema = z.object({ size: z.number() });

async function openAt(path: string): Promise<KeyedFile<z.infer<typeof schema>>> {
  return KeyedFile.open(path, schema, silentLog);
}

test("keeps the last value of each key over a restart, and forgets what was deleted", async () => {
  const path = join(await temporaryDirectory(), "values.jsonl");
  const first = await openAt(path);
  await Promise.all([first.set("a", { size: 1 }), first.set("b", { size: 2 }), first.set("c", { size: 3 })]);
  await first.set("a", { size: 4 });
  await first.delete("b");
  await first.delete("never");
  await first.close();
  const second = await openAt(path);
  expect([...second.values()]).toEqual([{ size: 4 }, { size: 3 }]);
  expect(second.get("b")).toBeNull();
  await second.close();
});

test("a change is in the file when its promise resolves", async () => {
  const path = join(await temporaryDirectory(), "values.jsonl");
  const file = await openAt(path);
  await file.set("a", { size: 1 });
  expect(await readFile(path, "utf8")).toBe('["a",{"size":1}]\n');
  await file.close();
});

test("lines that can't be read are passed over, and a torn last one is cut off", async () => {
  const path = join(await temporaryDirectory(), "values.jsonl");
  await appendFile(path, '{"a":1}\nnonsense\n["b",{"size":"large"}]\n["a",{"size":1}]\n["a",{"si');
  const file = await openAt(path);
  expect([...file.values()]).toEqual([{ size: 1 }]);
  await file.set("c", { size: 3 });
  await file.close();
  const again = await openAt(path);
  expect([...again.values()]).toEqual([{ size: 1 }, { size: 3 }]);
  await again.close();
});

test("a change that can't be written is refused and taken back", async () => {
  const file = await openAt(join(await temporaryDirectory(), "values.jsonl"));
  await file.set("a", { size: 1 });
  const append = vi.spyOn(AppendFile.prototype, "append").mockRejectedValue(new Error("disk full"));
  onTestFinished(() => append.mockRestore());
  await expect(file.set("a", { size: 2 })).rejects.toThrow("disk full");
  await expect(file.set("b", { size: 2 })).rejects.toThrow("disk full");
  await expect(file.delete("a")).rejects.toThrow("disk full");
  expect([file.get("a"), file.get("b")]).toEqual([{ size: 1 }, null]);
  await file.close();
});
