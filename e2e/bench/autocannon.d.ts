/** The part of autocannon that the bench uses; the package has no types. */
declare module "autocannon" {
  interface Request {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Seconds without a response after which a request counts as failed. */
    readonly timeout: number;
    readonly requests: readonly (Request & { readonly setupRequest?: (request: Request) => Request })[];
  }

  interface Run extends Promise<{ readonly errors: number; readonly timeouts: number }> {
    on(
      event: "response",
      listener: (client: unknown, statusCode: number, bytes: number, responseTimeMs: number) => void,
    ): this;
  }

  export default function autocannon(options: Options): Run;
}
