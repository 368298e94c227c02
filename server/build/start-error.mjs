/** A start that can't continue for a reason that its message explains fully. Shown without a stack. */
export class StartError extends Error {}
