import type { IndexSize, MeasuredSize, MeasuredStatement } from "./measure";

/** A statement compared between a small and a large database. */
export interface Growth {
  readonly small: MeasuredStatement;
  readonly large: MeasuredStatement;
  /** Shared blocks, large by small. */
  readonly ratio: number;
  /**
   * The same without the pages due to deeper indexes. A B-tree with a thousand times as many rows has one or two more
   * levels, each a page that is always in memory: that growth is limited, any other continues.
   */
  readonly ratioAtEqualDepth: number;
  /** Whether it grows with the database, beyond the depth of indexes. */
  readonly isGrowing: boolean;
}

/** Maximum ratio of the blocks that a statement touches in the large and in the small database. */
const RATIO_MAX = 1.3;
/** Random variation in the number of pages that rows occupy. */
const CHANCE_BLOCKS = 10;

/** Compares only operations that ran at both sizes. */
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

/** Each search passes the new levels, and so does each written row, in every index of its table. */
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
