import type { Sql } from "@/db/client";

/** Characters of a preview. */
const PREVIEW_LENGTH_MAX = 140;

/** Where the words of a content are, by priority. A file's own name comes last. */
const WORDS_AT = [
  "{text,body}",
  "{media,caption}",
  "{edits,content,text,body}",
  "{interactive,body}",
  "{reply,title}",
  "{template,name}",
  "{location,name}",
  "{contacts,0,name}",
  "{reaction,emoji}",
  "{order,text}",
  "{event,text}",
  "{media,filename}",
] as const;

/**
 * SQL: the start of what the message `m` says, else the name of its template or file; null if there is none, or if it
 * was erased.
 */
export const previewOf = (sql: Sql) => {
  const words = WORDS_AT.map((path) => sql`nullif(m.content #>> ${path}::text[], '')`);
  return sql`left(coalesce(${words.reduce((all, one) => sql`${all}, ${one}`)}), ${PREVIEW_LENGTH_MAX}::int)`;
};
