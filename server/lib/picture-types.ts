/** Types of pictures that can't contain a program. Pages show them; all other files are saved. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
]);
