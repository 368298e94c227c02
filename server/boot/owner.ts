import type { RunFile } from "@/db/embedded";
import type { Closers } from "@/server/lib/closers";
import type { ProcessDatabase } from "./database";

/** Addresses that the owner of the data directory told last; null while it has told none. */
export interface OwnerLink {
  readonly baseUrl: () => string | null;
  readonly simulatorUrl: () => string | null;
}

const ASK_EVERY_MS = 1_000;

/** They are others after each of the owner's starts. */
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
