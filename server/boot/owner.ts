import type { RunFile } from "@/db/embedded";
import type { Closers } from "@/server/lib/closers";
import type { ProcessDatabase } from "./database";

/** The addresses that the owner of the data directory reported last. Null if it has reported none. */
export interface OwnerLink {
  readonly baseUrl: () => string | null;
  readonly simulatorUrl: () => string | null;
}

const ASK_EVERY_MS = 1_000;

/** Follows the owner's addresses, which change at each of its starts. */
export async function followOwner(database: ProcessDatabase, closers: Closers): Promise<OwnerLink> {
  let baseUrl: string | null = null;
  let simulatorUrl: string | null = null;
  const note = (run: RunFile | null) => {
    baseUrl = run?.base_url ?? baseUrl;
    simulatorUrl = run?.simulator_url ?? simulatorUrl;
  };
  note(await database.owner());
  const timer = setInterval(() => void database.owner().then(note, () => undefined), ASK_EVERY_MS);
  closers.add(async () => clearInterval(timer));
  return { baseUrl: () => baseUrl, simulatorUrl: () => simulatorUrl };
}
