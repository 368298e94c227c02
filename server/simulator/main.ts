import { runSimulator } from "./run";

/** Entry point of `npm run simulator`. Ends the process when the simulator has ended. */
export async function main(options: { appRoot: string; distDir: string; argv: string[] }): Promise<void> {
  const { appRoot, argv } = options;
  process.exit(await runSimulator({ env: process.env, appRoot, argv }));
}
