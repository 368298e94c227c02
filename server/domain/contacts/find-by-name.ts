import { foldedName, NAME_BEGINNINGS } from "@/db/schema";
import type { Context } from "@/server/core/context";

/** Maximum names read for one prefix. */
const NAMES_MAX = 500;
/** More typed words don't narrow the result. */
const WORDS_MAX = 8;

export interface NamesFound {
  readonly contactIds: readonly string[];
  /** Whether more names start with this than were read. */
  readonly isCut: boolean;
}

const NOBODY: NamesFound = { contactIds: [], isCut: false };

/**
 * Finds contacts whose name starts with the text, or whose names contain words starting with each typed word, in any
 * order, with or without accents. Searches the start of the name, its second word and its last. Costs the same however
 * many contacts there are.
 */
export async function findByName({ services, actor }: Context, text: string): Promise<NamesFound> {
  const { sql } = services;
  const words = text.split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long), "");
  if (longest === "") return NOBODY;
  const folded = sql.unsafe(foldedName("name"));
  const streams = NAME_BEGINNINGS.map(
    ({ begins, where }, place) => sql`(
      select ${place}::int as place, id, ${folded} as folded from contacts
      where organization_id = ${actor.organizationId} and ${sql.unsafe(where)}
        and ${sql.unsafe(begins)} ~>=~ t.beginning and ${sql.unsafe(begins)} ~<~ (t.beginning || chr(1114111))
      limit ${NAMES_MAX})`,
  );
  const [row] = await sql<{ contactIds: string[]; isCut: boolean }[]>`
    with words as materialized (
      select distinct ${sql.unsafe(foldedName("w"))} as word from unnest(${words}::text[]) as w
    ), beginnings as materialized (
      select distinct ${sql.unsafe(foldedName("b"))} as beginning
      from unnest(${[words.join(" "), longest]}::text[]) as b
    ), found as materialized (
      select c.*, t.beginning
      from beginnings t cross join lateral (${streams.reduce((all, one) => sql`${all} union all ${one}`)}) c)
    select
      array(select distinct id from found f where not exists (
        select from words where strpos(' ' || f.folded, ' ' || word) = 0)) as "contactIds",
      exists (select from found group by beginning, place having count(*) >= ${NAMES_MAX}) as "isCut"`;
  return row ?? NOBODY;
}
