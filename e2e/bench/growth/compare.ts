import type { IndexSize, MeasuredSize, MeasuredStatement } from "./measure";

/** A statement in a small database and in a large one. */
export interface Growth {
  readonly small: MeasuredStatement;
  readonly large: MeasuredStatement;
  /** Shared blocks, large by small. */
  readonly ratio: number;
  /**
   * The same without the pages by which indexes have become deeper. A B-tree of a thousand times as many rows has one or
   * two levels more, each a page that is always in memory: that growth ends there, any other goes on.
   */
  readonly ratioAtEqualDepth: number;
  /** It grows with the database, beyond the depth of indexes. */
  readonly isGrowing: boolean;
}

/** A statement may touch at most this many times as many blocks in a large database as in a small one. */
const RATIO_MAX = 1.3;
/** Rows lie on a few pages more or less. */
const CHANCE_BLOCKS = 10;

/** What is only run at one of the sizes isn't compared. */
export function compareSizes(small: MeasuredSize, large: MeasuredSize): Growth[] {
  return large.statements.flatMap((statement) => {
    const before = small.statements.find(
      ({ operation, text }) => operation === statement.operation && text === statement.text,
    );
    if (before === undefined || before.blocks === 0) return [];
    const atEqualDepth = statement.blocks - deeperPages(statement, small.indexes, large.indexes);
    return {
      small: before,
      large: statement,
      ratio: statement.blocks / before.blocks,
      ratioAtEqualDepth: atEqualDepth / before.blocks,
      isGrowing: atEqualDepth > RATIO_MAX * before.blocks + CHANCE_BLOCKS,
    };
  });
}

/** Each search goes through the new levels, and so does each row that is written, into every index of its table. */
function deeperPages(
  { searches, writes }: MeasuredStatement,
  small: readonly IndexSize[],
  large: readonly IndexSize[],
): number {
  const levelBefore = new Map(small.map(({ name, level }) => [name, level]));
  return large.reduce((pages, { name, table, level }) => {
    const descents = (searches[name] ?? 0) + (writes[table] ?? 0);
    return pages + descents * (level - (levelBefore.get(name) ?? level));
  }, 0);
}
