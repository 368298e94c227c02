import type { Event } from "./types.js";

/** Reads the body of a webhook that is known to come from Waypost. @returns null if it isn't an event. */
export function parseEvent(body: string): Event | null {
  const value = parse(body);
  return isEvent(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Waypost sends what its description says, so that the type determines the rest. */
function isEvent(value: unknown): value is Event {
  const { id, type, data }: Record<string, unknown> = Object(value);
  return typeof id === "string" && typeof type === "string" && data !== undefined;
}
