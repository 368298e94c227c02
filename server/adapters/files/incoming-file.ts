/** An incoming file, over HTTP or from a disk. */
export interface IncomingFile {
  /** Not read before the file is allowed. */
  chunks(): AsyncIterable<Uint8Array>;
  /** The sender's type, in the form of a `Content-Type` header. */
  readonly contentType: string | undefined;
  readonly filename: string | undefined;
  /** Undefined if the size is only known at the end. */
  readonly declaredBytes: number | undefined;
}
