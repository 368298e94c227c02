import { expect, test } from "vitest";
import { unknownVariables } from "./unknown-variables";

test("a misspelt variable is named with the one that was probably meant, and its value isn't repeated", () => {
  const env = { WAYPOST_ROLES: "api", WAYPOST_SENDSLOTS: "9", WAYPOST_DATADIR: "/secret", PATH: "/bin" };
  const lines = unknownVariables({ NODE_ENV: "test", ...env });
  expect(lines).toEqual([
    "WAYPOST_ROLES is not a variable of Waypost and is ignored. Did you mean WAYPOST_ROLE?",
    "WAYPOST_SENDSLOTS is not a variable of Waypost and is ignored. Did you mean WAYPOST_SEND_SLOTS?",
    "WAYPOST_DATADIR is not a variable of Waypost and is ignored. Did you mean WAYPOST_DATA_DIR?",
  ]);
});

test("the variables that are read, and those of others, are not remarked on", () => {
  const ours = { WAYPOST_ROLE: "api", WAYPOST_NEXT_DIST_DIR: "dist/x/next", WAYPOST_KEY: "ak_live_x" };
  const env = { ...ours, PORT: "3", MY_WAYPOST_X: "1" };
  expect(unknownVariables({ NODE_ENV: "test", ...env })).toEqual([]);
});

test("a slip of a letter or two in a name without our prefix is remarked on, unless the right one is set", () => {
  const env = {
    NODE_ENV: "test",
    REDIS_UR: "redis://x",
    DATABASE_URI: "postgres://x",
    LOGLEVEL: "debug",
  } as const;
  expect(unknownVariables(env)).toEqual([
    "REDIS_UR is not a variable of Waypost and is ignored. Did you mean REDIS_URL?",
    "DATABASE_URI is not a variable of Waypost and is ignored. Did you mean DATABASE_URL?",
    "LOGLEVEL is not a variable of Waypost and is ignored. Did you mean LOG_LEVEL?",
  ]);
  expect(unknownVariables({ ...env, REDIS_URL: "x", DATABASE_URL: "x", LOG_LEVEL: "x" })).toEqual([]);
});

test("what others name in their own way is left alone", () => {
  const names =
    "HOSTS PORTS HOME REDIS_HOST REDIS_TLS_URL DATABASE_USER DATABASE_NAME INNGEST_ENV POSTGRES_URL";
  const env = Object.fromEntries(names.split(" ").map((name) => [name, "x"]));
  expect(unknownVariables({ NODE_ENV: "test", ...env })).toEqual([]);
});
