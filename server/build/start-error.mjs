/** A start that can't go on for a reason that its message explains fully; shown without a stack. */
export class StartError extends Error {}
