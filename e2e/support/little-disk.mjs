/** Preloaded into a program (`NODE_OPTIONS=--import`): every disk seems to have 100 MiB of free space. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { statfs } = fs;
const shortened = async (/** @type {string} */ path) =>
  Object.assign(await statfs(path), { bsize: 1024, bavail: 100 * 1024 });
Object.assign(fs, { statfs: shortened });
syncBuiltinESMExports();
