/** The part of a pino logger that the simulator uses. It never receives a token, a secret or message text. */
export interface SimulatorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
