/** The reactions that phones offer first, with their names. */
export const EMOJI = [
  ["👍", "thumbs up"],
  ["❤️", "heart"],
  ["😂", "laughing"],
  ["😮", "surprised"],
  ["😢", "sad"],
  ["🙏", "thank you"],
] as const;
