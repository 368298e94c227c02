// Pages import it too: it keeps no state, and imports nothing.

/**
 * What no font shows, for a class of a regular expression with the flag `u`: control characters, what Unicode has left out
 * where it has no picture, such as zero-width spaces and fillers, and Braille's empty cell.
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * That, and the other characters that only format what stands beside them: annotations and the joiners of hieroglyphs. The
 * rest of `\p{Cf}` has a picture, such as the Arabic number sign.
 */
export const UNSEEN = String.raw`${INVISIBLE}\ufff9-\ufffb\u{13430}-\u{1343f}`;
