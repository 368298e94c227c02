import { expect, it } from "vitest";
import { docUrl } from "./doc-url";

const OWN = "http://127.0.0.1:3000";

it.each([
  { role: "all", publicUrl: null, ownUrl: OWN, expected: `${OWN}/docs/errors#expired` },
  {
    role: "all",
    publicUrl: "https://a.example",
    ownUrl: OWN,
    expected: "https://a.example/docs/errors#expired",
  },
  {
    role: "api",
    publicUrl: "https://a.example",
    ownUrl: OWN,
    expected: "https://a.example/docs/errors#expired",
  },
  { role: "api", publicUrl: null, ownUrl: OWN, expected: null },
  { role: "all", publicUrl: null, ownUrl: null, expected: null },
] as const)(
  "role $role, public URL $publicUrl, own URL $ownUrl: $expected",
  ({ role, publicUrl, ownUrl, expected }) => {
    expect(docUrl({ role, publicUrl }, ownUrl, "expired")).toBe(expected);
  },
);
