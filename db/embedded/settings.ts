/** The socket's number. PostgreSQL listens on no TCP port. */
export const SOCKET_PORT = 5432;

/** Sized for one small machine. Larger installations run a separate PostgreSQL and set DATABASE_URL. */
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "128MB",
  max_connections: "200",
  max_wal_size: "1GB",
  wal_compression: "on",
  checkpoint_timeout: "15min",
  checkpoint_completion_target: "0.9",
  // Our queries are short lookups by key. Compiling them costs more than it saves.
  jit: "off",
  random_page_cost: "1.1",
  // A new installation starts with empty tables. Plans for them should be replaced within less than a minute.
  autovacuum_naptime: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors of statements go to the client, which logs them. Their details may contain message text.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
} as const satisfies Record<string, string>;

/** Returns the postmaster's arguments. `overrides` take priority, except over the listening address. */
export function postmasterArguments(
  cluster: string,
  socketDirectory: string,
  overrides: Record<string, string>,
): string[] {
  const settings: Record<string, string> = {
    ...SETTINGS,
    ...overrides,
    listen_addresses: "",
    port: String(SOCKET_PORT),
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: "0700",
  };
  return ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
