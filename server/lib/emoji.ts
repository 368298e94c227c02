const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Longer than every emoji, in UTF-16 code units. */
const EMOJI_LENGTH_MAX = 64;

/** Characters that are pictures by themselves. Those that are text by default need the variation selector U+FE0F. */
const PICTURE = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f?)/u;
/** Two letters that spell a flag. */
const FLAG = /^\p{Regional_Indicator}{2}$/u;
/** A digit, `#` or `*` on a key. */
const KEYCAP = /^[0-9#*]\ufe0f?\u20e3$/;
/** Marks other than the selector and the key, such as an accent. */
const OTHER_MARK = /[^\P{M}\ufe0f\u20e3]/u;
/** Signs, such as ©, that are Extended_Pictographic but text to most people without their selector. */
const TEXT_SIGN = /^[\u00a9\u00ae\u2122]$/;

/** Returns true if the text is exactly one emoji, including its skin tone, its variants and joined ones. */
export function isOneEmoji(text: string): boolean {
  if (text.length > EMOJI_LENGTH_MAX) return false;
  const [first, second] = graphemes.segment(text);
  if (first === undefined || second !== undefined || OTHER_MARK.test(text)) return false;
  // A lone letter of a flag is no emoji, and neither is a lone skin tone, though they have an emoji presentation.
  if (/^\p{Regional_Indicator}/u.test(text)) return FLAG.test(text);
  if (/^\p{Emoji_Modifier}/u.test(text)) return false;
  return KEYCAP.test(text) || (PICTURE.test(text) && !TEXT_SIGN.test(text));
}
