// Pages import this module too, so it keeps no state and imports nothing.

/**
 * Characters that no font shows, for a class in a regular expression with the flag `u`: control characters, characters
 * that Unicode ignores by default (such as zero-width spaces and fillers), and Braille's empty cell.
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * `INVISIBLE`, and characters that only format their neighbours: annotations and the joiners of hieroglyphs. The other
 * characters of `\p{Cf}` are visible, such as the Arabic number sign.
 */
export const INVISIBLE_OR_FORMAT = String.raw`${INVISIBLE}\ufff9-\ufffb\u{13430}-\u{1343f}`;
