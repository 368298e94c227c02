/** The embedded PostgreSQL: ownership of a data directory, the connection to its database, and running it. */
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
