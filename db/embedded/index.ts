/** PostgreSQL inside of Waypost: who owns a data directory, how to reach its database, and how to run it. */
export { EmbeddedPostgresError, type EmbeddedLog } from "@/db/embedded/error";
export { acquireDataDirectory, DataDirectoryInUse, isDataDirectoryOwned } from "@/db/embedded/ownership";
export {
  readRunFile,
  writeRunFile,
  type EmbeddedConnection,
  type OwnerKind,
  type RunFile,
} from "@/db/embedded/run-file";
export { clusterPath } from "@/db/embedded/state";
export { startEmbeddedPostgres } from "@/db/embedded/start";
