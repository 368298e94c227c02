import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS, wordsOf } from "./actions";

/** Recorded by earlier versions only. Their rows remain. */
const NO_LONGER_RECORDED = ["key.limits_set"];

/** The program's source, without the table itself. */
async function sources(): Promise<string> {
  const files = (await readdir("server", { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("core/audit/"),
  );
  return (await Promise.all(files.map((file) => readFile(`server/${file}`, "utf8")))).join("\n");
}

describe("the words of the audit log", () => {
  test("are there for every action that is recorded anywhere", async () => {
    const recorded = [...(await sources()).matchAll(/\baction: "([a-z]+\.[a-z_]+)"/g)].map(
      ([, action]) => action,
    );
    expect(recorded.length).toBeGreaterThan(15);
    expect(recorded.filter((action) => !Object.hasOwn(AUDIT_ACTIONS, action ?? ""))).toEqual([]);
  });

  test("are there for nothing else, but what earlier versions recorded", async () => {
    const text = await sources();
    const unrecorded = Object.keys(AUDIT_ACTIONS).filter((action) => !text.includes(`"${action}"`));
    expect(unrecorded).toEqual(NO_LONGER_RECORDED);
  });

  test.each(Object.entries(AUDIT_ACTIONS))("say what %s is, behind a name", (action, words) => {
    expect(action).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/);
    expect(words).toMatch(/^[a-z][^.]*[a-z]$/);
    expect(wordsOf(action)).toBe(words);
  });

  test("of an action that another version recorded are the action itself", () => {
    expect(wordsOf("webhook.made")).toBe("webhook.made");
    expect(wordsOf("toString")).toBe("toString");
  });
});
