// Pages import it too: it keeps no state, and imports nothing.

/**
 * What no font shows, for a class of a regular expression with the flag `u`: control characters, what Unicode has left out
 * where it has no picture, such as zero-width spaces and fillers, and Braille's empty cell.
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\u2800`;

/** That, and every other character that only formats what stands beside it. */
export const UNSEEN = String.raw`${INVISIBLE}\p{Cf}`;
