import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { createdAt, id, time } from "./columns";
import { members, organizations } from "./organizations";

/**
 * Maps letters with a diacritical mark to their base letter, because people search for a name as they can type it. Done
 * in SQL, because an index contains the result. Has lower-case letters only, because `lower` converts the others (in a
 * database without a locale, it converts ASCII letters only).
 */
const MARKED = "àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž";
const PLAIN = "aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz";

/** SQL for the comparable form of a name or a search text. Its length is limited for the index. */
export const foldedName = (text: string) => `translate(lower(left(${text}, 100)), '${MARKED}', '${PLAIN}')`;

/**
 * SQL for the positions in a contact's name at which a search can match, each with a condition that excludes names
 * without that position. Each has an index with exactly this expression.
 */
export const NAME_BEGINNINGS = [
  { begins: foldedName("name"), where: "name is not null" },
  { begins: `split_part(${foldedName("name")}, ' ', 2)`, where: "strpos(name, ' ') > 0" },
  { begins: `split_part(${foldedName("name")}, ' ', -1)`, where: "strpos(name, ' ') > 0" },
] as const;

export const contacts = pgTable(
  "contacts",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    name: text(),
    /** The customer no longer wants marketing messages (upstream code 131050, or their own setting). */
    marketingOptedOutAt: time(),
    /** When the customer last decided about marketing messages. An older decision that arrives late changes nothing. */
    marketingWishedAt: time(),
    /** How many webhook events about this contact happened: the number of the last one. */
    eventSequence: integer().notNull().default(0),
    /** The contact that this one was merged into, because it is the same person. It has all identifiers of this contact. It is never a merged contact itself. */
    mergedInto: uuid(),
    /** Erased on request. The row remains, so that ids stay valid. */
    erasedAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("contacts_id_organization_id_unique").on(t.id, t.organizationId),
    foreignKey({ columns: [t.organizationId, t.mergedInto], foreignColumns: [t.organizationId, t.id] }),
    index("contacts_merged_index")
      .on(t.mergedInto)
      .where(sql`${t.mergedInto} is not null`),
    // The predicate reserves it for queries that read in order (see messages_order_index).
    index("contacts_order_index")
      .on(t.organizationId, t.id)
      .where(sql`${t.erasedAt} is null`),
    // The contacts of a list, newest first.
    index("contacts_list_index")
      .on(t.organizationId, t.id)
      .where(sql`${t.erasedAt} is null and ${t.mergedInto} is null`),
    // The organization comes first, against the rule: other organizations may have far more names with the same
    // beginning.
    index("contacts_name_index")
      .on(t.organizationId, sql.raw(`(${NAME_BEGINNINGS[0].begins}) text_pattern_ops`))
      .where(sql.raw(NAME_BEGINNINGS[0].where)),
    index("contacts_second_name_index")
      .on(t.organizationId, sql.raw(`(${NAME_BEGINNINGS[1].begins}) text_pattern_ops`))
      .where(sql.raw(NAME_BEGINNINGS[1].where)),
    index("contacts_last_name_index")
      .on(t.organizationId, sql.raw(`(${NAME_BEGINNINGS[2].begins}) text_pattern_ops`))
      .where(sql.raw(NAME_BEGINNINGS[2].where)),
    index("contacts_erased_index")
      .on(t.erasedAt)
      .where(sql`${t.erasedAt} is not null`),
  ],
);

export const IDENTITY_KINDS = ["whatsapp", "bsuid", "parent_bsuid"] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** The identifiers of a contact on a channel, including several written forms of one number. */
export const contactIdentities = pgTable(
  "contact_identities",
  {
    id: id(),
    organizationId: uuid().notNull(),
    contactId: uuid().notNull(),
    /** A number, or WhatsApp's id of the person (business-scoped, or of the parent portfolio). */
    kind: text({ enum: IDENTITY_KINDS }).notNull(),
    /** As written by the integrator or by WhatsApp. A number is E.164 without the plus sign. */
    handle: text().notNull(),
    /** The one form that represents all equivalent spellings of this number. */
    canonical: text().notNull(),
    /**
     * When the upstream last reported that nothing can be delivered there. Null after the customer wrote, or received a
     * message.
     */
    refusedAt: time(),
    /**
     * When this became the contact's current name of its kind, by WhatsApp's clock. Null if WhatsApp has reported no
     * change to it.
     */
    currentSince: time(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.contactId],
      foreignColumns: [contacts.organizationId, contacts.id],
    }),
    unique("contact_identities_handle_unique").on(t.handle, t.organizationId, t.kind),
    index("contact_identities_canonical_index").on(t.canonical, t.organizationId, t.kind),
    // Numbers by their last digits, because people remember those.
    index("contact_identities_suffix_index")
      .on(sql`reverse(${t.canonical}) text_pattern_ops`, t.organizationId)
      .where(sql`${t.kind} = 'whatsapp'`),
    // Numbers by their first digits. The organization comes first, against the rule: all numbers of a country begin
    // alike.
    index("contact_identities_prefix_index")
      .on(t.organizationId, sql`${t.canonical} text_pattern_ops`)
      .where(sql`${t.kind} = 'whatsapp'`),
    index("contact_identities_contact_index").on(t.contactId, t.organizationId),
  ],
);

/** One contact on one channel. */
export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    organizationId: uuid().notNull(),
    contactId: uuid().notNull(),
    channelId: uuid().notNull(),
    status: text({ enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    assigneeId: uuid(),
    /** The `accept_seq` of the last message of either direction; 0 if there is none. Internal notes don't count. */
    lastActivitySeq: bigint({ mode: "number" }).notNull().default(0),
    /** When that message was accepted or received. */
    lastMessageAt: time(),
    /** The customer's last message, by WhatsApp's clock. The customer window is open for 24 hours from it. */
    lastInboundAt: time(),
    /**
     * When the upstream reported that the window is closed (code 131047), whatever Waypost had recorded. Only a later
     * message reopens it.
     */
    windowClosedAt: time(),
    /** No message of this conversation is claimed earlier (pair limit, upstream code 131056). */
    blockedUntil: time(),
    /** Number of consecutive pair-limit responses: the X of 4^X seconds. */
    pairLimitStreak: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.contactId],
      foreignColumns: [contacts.organizationId, contacts.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.assigneeId],
      foreignColumns: [members.organizationId, members.id],
    }),
    unique("conversations_id_organization_id_unique").on(t.id, t.organizationId),
    unique("conversations_id_organization_id_channel_id_unique").on(t.id, t.organizationId, t.channelId),
    unique("conversations_contact_channel_unique").on(t.contactId, t.channelId),
    // Newest activity first. By the channel, so that one index serves lists of a channel, of a key and of all channels.
    index("conversations_activity_index").on(t.channelId, t.lastActivitySeq, t.id),
    check("conversations_status_check", sql`${t.status} in ('open', 'closed')`),
  ],
);
