import { Anchor } from "@mantine/core";
import type { AuditSubject } from "@/server/core/audit/actions";
import type { Capability } from "@/server/core/capabilities";
import { PageLink } from "@/app/ui/page-link";
import { useMay, usePath } from "../shared/viewer";
import type { Act } from "./types";

/** For each kind of subject: its page, who may see that, and how to call a subject without a name. */
const PLACES = {
  organization: { path: () => "/settings", capability: "organization.read", noun: "the organization" },
  member: { path: () => "/members", capability: "members.manage", noun: "a member" },
  invitation: { path: () => "/members", capability: "members.manage", noun: "the invitation" },
  key: { path: (id) => `/keys/${id}`, capability: "integrations.manage_api", noun: "the key" },
  channel: { path: (id) => `/channels/${id}`, capability: "channels.read", noun: "the channel" },
  template: { path: (id) => `/templates/${id}`, capability: "templates.read", noun: "the template" },
  contact: { path: (id) => `/contacts/${id}`, capability: "contacts.read", noun: "the contact" },
  conversation: { path: (id) => `/messages?q=${id}`, capability: "messages.read", noun: "the conversation" },
  message: { path: (id) => `/messages/${id}`, capability: "messages.read", noun: "the message" },
  webhook: { path: (id) => `/webhooks/${id}`, capability: "webhooks.manage", noun: "the endpoint" },
} as const satisfies Record<
  AuditSubject,
  { path: (id: string) => string; capability: Capability; noun: string }
>;

function isKnown(kind: string): kind is AuditSubject {
  return Object.hasOwn(PLACES, kind);
}

/** Names the subject of an act, with a link for viewers who may open its page. */
export function Subject({ of: { kind, id, name } }: { of: Act["subject"] }) {
  const path = usePath();
  const may = useMay();
  if (!isKnown(kind)) return `${kind} ${name ?? id}`;
  const place = PLACES[kind];
  const words = name ?? place.noun;
  if (!may(place.capability)) return words;
  return (
    <Anchor inherit component={PageLink} href={path(place.path(id))}>
      {words}
    </Anchor>
  );
}
