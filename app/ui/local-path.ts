/** Returns a path of this app to go to next. Returns the start page for any other URL. */
export function localPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[^\\\s]*$/.test(text) ? text : "/";
}
