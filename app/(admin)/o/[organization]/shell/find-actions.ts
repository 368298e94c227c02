import type { Capability } from "@/server/core/capabilities";

/** Something to do that a search can find. */
export interface FoundAction {
  /** The path below the organization’s path. Its dialog opens there. */
  readonly path: string;
  readonly label: string;
}

interface ActionEntry extends FoundAction {
  readonly capability: Capability;
  /** Words that people search for when they mean this action. */
  readonly keywords: string;
}

const ACTIONS: readonly ActionEntry[] = [
  {
    path: "/messages?dialog=test",
    label: "Send a test message",
    capability: "messages.send",
    keywords: "try new",
  },
  {
    path: "/keys?dialog=create",
    label: "Create a key",
    capability: "integrations.manage_api",
    keywords: "new add api secret",
  },
  {
    path: "/keys?dialog=found",
    label: "Look up a key",
    capability: "integrations.manage_api",
    keywords: "find leaked revoke api secret",
  },
  {
    path: "/webhooks?dialog=create",
    label: "Add a webhook endpoint",
    capability: "webhooks.manage",
    keywords: "new create events url",
  },
  {
    path: "/channels?dialog=connect",
    label: "Connect a number",
    capability: "channels.manage",
    keywords: "new add create channel whatsapp",
  },
];

/** The verbs of the action that each channel has. */
const DISABLE = "disable pause stop";

interface ChannelChoice {
  readonly value: string;
  readonly label: string;
}

const wordsIn = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns true if the first typed word begins a verb for disabling a channel, so that the channels are needed. */
export function meansDisabling(typed: string): boolean {
  const [verb = ""] = wordsIn(typed);
  return verb.length > 1 && wordsIn(DISABLE).some((known) => known.startsWith(verb));
}

/**
 * Returns actions for which each typed word begins a word of the name or of the keywords, only those that the viewer may
 * do. Nothing typed finds none.
 * @param channels channels that can be disabled.
 */
export function findActions(
  typed: string,
  may: (capability: Capability) => boolean,
  channels: readonly ChannelChoice[],
): readonly FoundAction[] {
  const words = wordsIn(typed);
  if (words.length === 0) return [];
  const disabling = channels.map(({ value, label }) => ({
    path: `/channels/${value}?dialog=disable`,
    label: `Disable channel ${label}`,
    capability: "channels.manage" as const,
    keywords: DISABLE,
  }));
  return [...ACTIONS, ...(meansDisabling(typed) ? disabling : [])].filter(
    ({ label, keywords, capability }) =>
      may(capability) &&
      words.every((word) => wordsIn(`${label} ${keywords}`).some((known) => known.startsWith(word))),
  );
}
