import { rename, writeFile } from "node:fs/promises";

/** Replaces a file atomically, mode 0600: after a crash it has the old or the new content. One writer at a time. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, path);
}
