import { isDataDirectoryOwned, readRunFile } from "@/db/embedded";
import { attach } from "./attach";
import { type OptionalInstallation, CommandError } from "./command";
import type { Surroundings } from "./reach";

/** Returns the installation on this machine, for a command that doesn't need one. */
export function optionalInstallation(surroundings: Surroundings): OptionalInstallation {
  const { config } = surroundings;
  const isOwned = () => isDataDirectoryOwned(config.dataDir);
  return {
    async attach() {
      // Attaching would start a database for this command alone.
      if (config.databaseUrl === null && !(await isOwned())) throw notRunning();
      return attach(surroundings);
    },
    async url() {
      const run = (await isOwned()) ? await readRunFile(config.dataDir) : null;
      return config.publicUrl ?? run?.base_url ?? `http://localhost:${config.port}`;
    },
  };
}

function notRunning(): CommandError {
  return new CommandError(
    "not_running",
    "Waypost isn't running from this checkout. Start it with `npm start`, or give the key of another Waypost with --key and its URL with --url.",
  );
}
