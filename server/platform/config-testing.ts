import { ConfigError, readConfig } from "./config";

/** Describes the problems of the environment, one line for each variable. Empty if it is usable. */
export function configProblems(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig({ NODE_ENV: "test", ...env }, "/app");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
