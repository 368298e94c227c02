import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { createdAt, id, time } from "./columns";
import { members, organizations } from "./organizations";

/**
 * Letters with a mark, as their plain letter: people search for a name as they can type it. In SQL, because an index holds it.
 * `lower` knows more letters than a database without a locale.
 */
const MARKED = "àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž";
const PLAIN = "aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz";

/** A name, or what was typed for one, as names are compared, as SQL. Its length is what an index takes. */
export const foldedName = (text: string) => `translate(lower(left(${text}, 100)), '${MARKED}', '${PLAIN}')`;

/**
 * Where in a contact's name a search can begin, as SQL over its columns, each with the condition that leaves out the names
 * without such a place. An index has each of them, in these words.
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
    /** The customer wants no marketing messages any more (upstream code 131050, or their own setting). */
    marketingOptedOutAt: time(),
    /** When the customer last said whether they want them: an older wish that comes late changes nothing. */
    marketingWishedAt: time(),
    /** The contact that turned out to be the same person, and has all that this one was known by; not merged itself. */
    mergedInto: uuid(),
    /** Emptied on request; the row stays, so that ids stay valid. */
    erasedAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("contacts_id_organization_id_unique").on(t.id, t.organizationId),
    foreignKey({ columns: [t.organizationId, t.mergedInto], foreignColumns: [t.organizationId, t.id] }),
    index("contacts_merged_index")
      .on(t.mergedInto)
      .where(sql`${t.mergedInto} is not null`),
    // The predicate keeps it for those who ask in order (see messages_order_index).
    index("contacts_order_index")
      .on(t.organizationId, t.id)
      .where(sql`${t.erasedAt} is null`),
    // Whom a list shows, newest first.
    index("contacts_list_index")
      .on(t.organizationId, t.id)
      .where(sql`${t.erasedAt} is null and ${t.mergedInto} is null`),
    // The organization first, against the rule: among names that begin alike, others' can be far more.
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

/** The names under which a channel's world knows a contact; several written forms of one number included. */
export const contactIdentities = pgTable(
  "contact_identities",
  {
    id: id(),
    organizationId: uuid().notNull(),
    contactId: uuid().notNull(),
    /** A number, or WhatsApp's id of the person (business-scoped, or of the parent portfolio). */
    kind: text({ enum: IDENTITY_KINDS }).notNull(),
    /** As written by the integrator or by WhatsApp: a number is E.164 without the plus sign. */
    handle: text().notNull(),
    /** The one form that all equivalent spellings of this number share. */
    canonical: text().notNull(),
    /** When the upstream last said that nothing can be delivered there; null after the customer wrote, or got a message. */
    refusedAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.contactId],
      foreignColumns: [contacts.organizationId, contacts.id],
    }),
    unique("contact_identities_handle_unique").on(t.handle, t.organizationId, t.kind),
    index("contact_identities_canonical_index").on(t.canonical, t.organizationId, t.kind),
    // Numbers by their last digits, which is how people remember them.
    index("contact_identities_suffix_index")
      .on(sql`reverse(${t.canonical}) text_pattern_ops`, t.organizationId)
      .where(sql`${t.kind} = 'whatsapp'`),
    // And by the first ones. The organization first, against the rule: all numbers of a country begin alike.
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
    /** The customer's last message, in WhatsApp's time: the customer window is open for 24 hours from it. */
    lastInboundAt: time(),
    /** The upstream said that the window is closed (code 131047), whatever we knew: only a later message reopens it. */
    windowClosedAt: time(),
    /** Nothing of this conversation is claimed before (pair limit, upstream code 131056). */
    blockedUntil: time(),
    /** Consecutive pair-limit answers: the X of 4^X seconds. */
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
    check("conversations_status_check", sql`${t.status} in ('open', 'closed')`),
  ],
);
