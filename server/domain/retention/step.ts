/** A step of a run: erases one batch of an organization. Repeating it does no harm, nor does a concurrent process. */
export type Step = () => Promise<{
  readonly erased: number;
  /** Whether there may be another batch. */
  readonly isMore: boolean;
}>;
