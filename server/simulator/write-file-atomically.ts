import { rename, writeFile } from "node:fs/promises";

/** Replaces a file as a whole, mode 0600: a crash leaves the old or the new content. One writer at a time. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, path);
}
