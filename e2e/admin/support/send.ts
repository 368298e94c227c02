import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Suite } from "./suite";

/** Outcomes of messages to numbers with these endings (/docs/simulator). */
export const ENDINGS = {
  read: "90001",
  delivered: "99002",
  windowClosed: "99228",
  noClearAnswer: "99072",
  countryRestricted: "99013",
  appLimited: "99108",
} as const;

let numbers = 1000;

/** Returns a number that is unique in these tests. */
export function newNumber(ending: string): string {
  numbers += 1;
  return `4917${numbers}${ending}`;
}

export interface Sent {
  readonly id: string;
  readonly clientMessageId: string;
  readonly requestId: string;
}

/** Sends the approved template, which any number may get, by a real request. */
export async function send({ api, key, world }: Suite, handle: string): Promise<Sent> {
  const clientMessageId = `test-${randomUUID()}`;
  const { template_submission_id, variables } = world.demo.templates.approved;
  const answer = await api.call({
    path: "/messages",
    key: key.secret,
    json: {
      client_message_id: clientMessageId,
      type: "template",
      to: { kind: "whatsapp", handle },
      template: { template_submission_id, variables },
    },
  });
  expect(answer.status).toBe(201);
  const { message_id: id } = JSON.parse(answer.text);
  return { id: String(id), clientMessageId, requestId: String(answer.headers["x-request-id"]) };
}
