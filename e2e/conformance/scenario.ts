import type { ExpectStatic } from "vitest";
import type { ApiRequest } from "@/e2e/support/api";
import type { World } from "./world";

/** The ways into the public API: node's own server, and Next's route handler. */
export type Mount = "node" | "next";

/** What must hold for one answer. Absent members are not looked at; every answer is held against the document anyway. */
export interface Expected {
  readonly status: number;
  /** `error.code`, null where the answer isn't a refusal. */
  readonly code?: string | null;
  /** `error.field`. */
  readonly field?: string;
  /** By name in lower case. A pattern, or null for a header that must not be there. */
  readonly headers?: Readonly<Record<string, RegExp | string | null>>;
  /** Members that the body must have, also within. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What the text of the body must match. */
  readonly text?: RegExp;
}

export interface Exchange {
  readonly request: (world: World) => ApiRequest;
  readonly expected: Expected | ((world: World) => Expected);
}

/** One rule of the public API, shown by one exchange or by several in a row. */
export type Scenario = { readonly name: string } & (Exchange | { readonly steps: readonly Exchange[] }) & {
    /**
     * Where HTTP or Next answers before the public API is asked, with the reason. Such an answer isn't held against the
     * document.
     */
    readonly elsewhere?: { readonly mount: Mount; readonly reason: string; readonly expected: Expected };
  };

/** A rule that takes more than requests and answers to show. */
export interface Journey {
  readonly name: string;
  /** The one mount to show it through, where it takes long and the mount has no part in it: `next` for the long run. */
  readonly only?: Mount;
  readonly run: (world: World, expect: ExpectStatic) => Promise<void> | void;
}

/** The body of a text to the demo contact with an open window, under this scenario's own id. */
export function textTo(world: World, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    client_message_id: world.id,
    type: "text",
    to: { kind: "whatsapp", handle: world.demo.contacts.open_window.handle },
    text: { body: "Hello" },
    ...changes,
  };
}

/** A POST /messages with the key that has the default scopes and no limit in its way. */
export function send(world: World, changes: Readonly<Record<string, unknown>> = {}): ApiRequest {
  return { path: "/messages", key: world.keys.main.secret, json: textTo(world, changes) };
}

/** A template that is approved, to any number. */
export function sendTemplate(world: World, handle: string, changes: Readonly<Record<string, unknown>> = {}) {
  const to = { kind: "whatsapp", handle };
  return send(world, {
    type: "template",
    text: undefined,
    template: world.demo.templates.approved,
    to,
    ...changes,
  });
}

/** The same as `send` with another key. */
export function sendAs(
  key: { readonly secret: string },
  world: World,
  changes: Readonly<Record<string, unknown>> = {},
): ApiRequest {
  return { ...send(world, changes), key: key.secret };
}

export const ACCEPTED = {
  status: 201,
  code: null,
  body: { deduplicated: false, delivery_state: "queued" },
} as const satisfies Expected;

export const REPEATED = { status: 200, code: null, body: { deduplicated: true } } as const satisfies Expected;

export function refused(status: number, code: string, field?: string): Expected {
  return field === undefined ? { status, code } : { status, code, field };
}
