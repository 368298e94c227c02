import { ConfigError, readConfig } from "./config";

/** What is wrong with the environment, a line for each variable; nothing when it can be used. */
export function configProblems(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig({ NODE_ENV: "test", ...env }, "/app");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
