import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { sendMessageInput } from "@/server/domain/messages/model/send-request";
import { type Demo, NO_TEMPLATES } from "@/server/ops/demo/demo";
import { greeting } from "@/server/ops/demo/greeting";

const contact = { handle: "4915112345678", contact_id: "c", thread_id: "t" };
const demo: Demo = {
  base_url: "http://localhost:3000",
  simulator_url: "http://127.0.0.1:4000",
  organization_id: "o",
  sign_in: { email: "demo@example.com", password: "the-password" },
  api_key: { id: "k", secret: "ak_live_the-secret" },
  channels: { default: "d", second: "s" },
  phone_number_ids: { default: "1", second: "2" },
  contacts: {
    open_window: contact,
    closed_window: contact,
    no_conversation: contact,
    conflicting: { handle: "5511987654321" },
  },
  threads: { closed_and_assigned: { thread_id: "t", assignee_id: "a" } },
  templates: NO_TEMPLATES,
  uploads: { image: { storage_key: "upl_1" } },
  internal_note_id: "n",
};

/** The curl command as a person selects it: from the line that begins with `curl` to the first without a trailing \. */
function curlCommand(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("curl "));
  const last = lines.findIndex((line, index) => index >= first && !line.endsWith("\\"));
  return lines.slice(first, last + 1).join("\n");
}

/** The arguments of curl when the command is pasted into a shell. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${command}\n`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("shows sign-in and key, and says that they are shown once", () => {
  const text = greeting(demo);
  for (const shown of ["demo@example.com", "the-password", "ak_live_the-secret", "http://localhost:3000"]) {
    expect(text).toContain(shown);
  }
  expect(text).toMatch(/shown only once/);
});

test("the curl command, pasted into a shell, sends a text to the contact whose window is open", () => {
  const [silent, url, , authorization, , contentType, , body = ""] = argumentsOf(curlCommand(greeting(demo)));
  expect([silent, url]).toEqual(["-sS", "http://localhost:3000/api/public/v1/messages"]);
  expect(authorization).toBe("Authorization: Bearer ak_live_the-secret");
  expect(contentType).toBe("Content-Type: application/json");
  const message = sendMessageInput.parse(JSON.parse(body));
  expect(message.to).toEqual({ kind: "whatsapp", handle: contact.handle });
  expect(message.type).toBe("text");
});

test("names the page on which the message's events are seen", () => {
  const inbox = `http://localhost:3000/o/${demo.organization_id}/webhooks/inbox`;
  expect(greeting(demo).split("\n")).toContainEqual(expect.stringMatching(`Webhook inbox: ${inbox}$`));
});

test("names the phone on which the message is seen and answered", () => {
  const phone = `http://localhost:3000/o/o/phone/d/${contact.handle}`;
  expect(greeting(demo).split("\n")).toContainEqual(
    expect.stringMatching(`answer as that customer: ${phone}$`),
  );
});

test("each greeting has a client_message_id of its own", () => {
  const ids = [greeting(demo), greeting(demo)].map((text) => /"client_message_id":"([^"]+)"/.exec(text)?.[1]);
  expect(ids[0]).toMatch(/^hello-[0-9a-f]{8}$/);
  expect(ids[0]).not.toBe(ids[1]);
});
