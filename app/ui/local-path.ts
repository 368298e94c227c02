/** The path of this app to go on to; the start for anything that leads elsewhere. */
export function localPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[^\\\s]*$/.test(text) ? text : "/";
}
