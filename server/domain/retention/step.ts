/** A part of a run: erases one batch of an organization. Repeating it does no harm, nor does another process beside it. */
export type Step = () => Promise<{
  readonly erased: number;
  /** Whether there may be another batch. */
  readonly isMore: boolean;
}>;
