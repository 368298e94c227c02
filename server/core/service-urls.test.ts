import { expect, it, test } from "vitest";
import { createServiceUrls } from "./service-urls";

const PROCESS = "http://127.0.0.1:3000";
const PUBLIC = "https://a.example";
const graphUrl = "https://graph.example";
const simulatorUrl = () => null;

it.each([
  { role: "all", publicUrl: null, processUrl: PROCESS, expected: `${PROCESS}/docs/errors#expired` },
  { role: "all", publicUrl: PUBLIC, processUrl: PROCESS, expected: `${PUBLIC}/docs/errors#expired` },
  { role: "api", publicUrl: PUBLIC, processUrl: PROCESS, expected: `${PUBLIC}/docs/errors#expired` },
  { role: "api", publicUrl: null, processUrl: PROCESS, expected: null },
  { role: "all", publicUrl: null, processUrl: null, expected: null },
] as const)(
  "documents an error with role $role, public URL $publicUrl and own URL $processUrl at $expected",
  ({ role, publicUrl, processUrl, expected }) => {
    const config = { role, publicUrl, graphUrl };
    const urls = createServiceUrls({ config, simulatorUrl, processUrl: () => processUrl });
    expect(urls.documentation("expired")).toBe(expected);
  },
);

test("its own URLs are those known now, the process's own first", () => {
  let processUrl: string | null = null;
  const urls = createServiceUrls({
    config: { role: "all", publicUrl: PUBLIC, graphUrl },
    simulatorUrl,
    processUrl: () => processUrl,
    ownerUrl: () => "http://127.0.0.1:3001",
  });
  expect(urls.own()).toEqual(["http://127.0.0.1:3001", PUBLIC]);
  processUrl = PROCESS;
  expect(urls.own()).toEqual([PROCESS, "http://127.0.0.1:3001", PUBLIC]);
});

test("a process that serves no requests has no URLs of its own", () => {
  const config = { role: "all", publicUrl: PUBLIC, graphUrl } as const;
  expect(createServiceUrls({ config, simulatorUrl }).own()).toEqual([]);
});
