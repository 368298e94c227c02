/** A file on its way in, over HTTP or from a disk. */
export interface IncomingFile {
  /** Not touched before it is known that the file may come. */
  chunks(): AsyncIterable<Uint8Array>;
  /** The type that the sender gives it, as a `Content-Type` has it. */
  readonly contentType: string | undefined;
  readonly filename: string | undefined;
  /** Undefined where nobody knows before the end. */
  readonly declaredBytes: number | undefined;
}
