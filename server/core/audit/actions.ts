/**
 * Audited actions, each with a phrase that follows the actor's name. Codes are stable, because old rows contain them.
 */
export const AUDIT_ACTIONS = {
  "organization.created": "created the organization",
  "organization.renamed": "renamed the organization",
  "organization.retention_set": "changed how long messages are kept",
  "organization.marketing_words_set": "changed the words that opt customers out or in",
  "organization.upload_quota_set": "changed how much space uploads may use",
  "member.created": "added a member",
  "member.invited": "invited a person",
  "member.invitation_withdrawn": "withdrew an invitation",
  "member.invitation_ended": "ended an invitation because its creator can no longer invite people",
  "member.joined": "joined the organization",
  "member.rights_set": "changed a member's role or permissions",
  "member.removed": "removed a member",
  "member.password_reset": "created a password reset link",
  "member.two_factor_reset": "turned off a member's two-factor authentication",
  "member.signed_in": "signed in",
  "member.renamed": "changed their name",
  "member.password_changed": "set a new password",
  "member.two_factor_enabled": "turned on two-factor authentication",
  "member.two_factor_disabled": "turned off two-factor authentication",
  "member.recovery_codes_renewed": "created new recovery codes",
  "member.sessions_revoked": "ended sessions",
  "key.created": "created an API key",
  "key.rotated": "gave an API key a new secret",
  "key.former_secret_ended": "ended a previous secret of an API key",
  "key.set": "changed an API key",
  "key.limits_set": "changed an API key's limits",
  "key.revoked": "revoked an API key",
  "channel.connected": "connected a channel",
  "channel.set": "changed a channel",
  "channel.made_default": "made a channel the default",
  "channel.disabled": "disabled a channel",
  "channel.enabled": "enabled a channel",
  "channel.resumed": "resumed a paused channel",
  "template.submitted": "submitted a template",
  "contact.set": "changed a contact",
  "contact.erased": "erased a contact",
  "message.resent": "sent a message again",
  "message.test_sent": "sent a test message",
  "message.answered": "answered a customer",
  "conversation.closed": "closed a conversation",
  "conversation.reopened": "reopened a conversation",
  "conversation.assigned": "changed who a conversation is assigned to",
  "conversation.noted": "added an internal note to a conversation",
  "webhook.created": "added a webhook endpoint",
  "webhook.set": "changed a webhook endpoint",
  "webhook.removed": "removed a webhook endpoint",
  "webhook.secret_rotated": "gave a webhook endpoint a new signing secret",
  "webhook.enabled": "enabled a webhook endpoint",
  "webhook.disabled": "disabled a webhook endpoint",
  "webhook.failing": "detected that a webhook endpoint is failing",
  "webhook.delivery_redelivered": "sent a webhook again",
  "webhook.replayed": "sent earlier webhooks again",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Kinds of objects that an audited action can be about. */
export const AUDIT_SUBJECTS = [
  "organization",
  "member",
  "invitation",
  "key",
  "channel",
  "template",
  "contact",
  "conversation",
  "message",
  "webhook",
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

const WORDS: Readonly<Record<string, string>> = AUDIT_ACTIONS;

/** Returns the phrase for an action. An action that only another version of Waypost knows is returned as it is. */
export function wordsOf(action: string): string {
  return Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action;
}
