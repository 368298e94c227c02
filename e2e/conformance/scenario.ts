import type { ExpectStatic } from "vitest";
import type { ApiRequest } from "@/e2e/support/api";
import type { World } from "./world";

/** The entry points of the public API: Node's own server, and Next's route handler. */
export type Mount = "node" | "next";

/**
 * The expectation of one response. Absent members aren't checked; every response is checked against the document
 * anyway.
 */
export interface Expected {
  readonly status: number;
  /** `error.code`; null if the response isn't an error. */
  readonly code?: string | null;
  /** `error.field`. */
  readonly field?: string;
  /** By name in lower case. A pattern, or null for a header that must be absent. */
  readonly headers?: Readonly<Record<string, RegExp | string | null>>;
  /** Members that the body must have, also nested. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A pattern for the text of the body. */
  readonly text?: RegExp;
}

export interface Exchange {
  readonly request: (world: World) => ApiRequest;
  readonly expected: Expected | ((world: World) => Expected);
}

/** One rule of the public API, shown by one exchange or by several in sequence. */
export type Scenario = { readonly name: string } & (Exchange | { readonly steps: readonly Exchange[] }) & {
    /**
     * Set if HTTP or Next responds before the public API, with the reason. Such a response isn't checked against the
     * document.
     */
    readonly elsewhere?: { readonly mount: Mount; readonly reason: string; readonly expected: Expected };
  };

/** A rule that needs more than requests and responses to test. */
export interface Journey {
  readonly name: string;
  /** The only mount to test it through, if it takes long and is independent of the mount: `next` for the long run. */
  readonly only?: Mount;
  readonly run: (world: World, expect: ExpectStatic) => Promise<void> | void;
}

/** The body of a text to the demo contact with an open window, with this scenario's own id. */
export function textTo(world: World, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    client_message_id: world.id,
    type: "text",
    to: { kind: "whatsapp", handle: world.demo.contacts.open_window.handle },
    text: { body: "Hello" },
    ...changes,
  };
}

/** A POST /messages with the key that has the default scopes and a limit that is never reached. */
export function send(world: World, changes: Readonly<Record<string, unknown>> = {}): ApiRequest {
  return { path: "/messages", key: world.keys.main.secret, json: textTo(world, changes) };
}

/** Sends an approved template, to any number. */
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
