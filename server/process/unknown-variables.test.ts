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
