/** Bytes that arrive one after another: a stream of the web, or a stream of Node. */
export type UploadStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file to upload. A stream can be read only once, so an upload of a stream isn't repeated after the first bytes were
 * read. A function that opens the stream is called for each try.
 */
export type UploadSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | UploadStream
  | (() => UploadStream | Promise<UploadStream>);

/** A file as the body of a request, for one try after the other. */
export interface UploadBody {
  /** Returns the body of the next try. */
  open(): Promise<ArrayBufferLike | Blob | ReadableStream<Uint8Array>>;
  /** False once a stream was read. */
  canRepeat(): boolean;
  /** @throws what the stream threw while it was opened or read. */
  throwIfFailed(): void;
  /** Closes a stream that isn't needed any more. Doesn't wait for it, because a stream can hang. */
  close(): void;
}

/** @throws TypeError if it is no file, or a stream that was read already. */
export function uploadBodyOf(source: UploadSource): UploadBody {
  if (typeof source === "function") return openedBody(source);
  if (isStream(source)) return streamBody(source);
  const isBytes = source instanceof Blob || source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  if (!isBytes)
    throw new TypeError("The file must be bytes, a Blob, a stream, or a function that opens a stream");
  const file = source instanceof Blob ? source : copyOf(source);
  return {
    open: async () => file,
    canRepeat: () => true,
    throwIfFailed: () => undefined,
    close: () => undefined,
  };
}

/** The caller can change its bytes before the last try. */
function copyOf(bytes: Uint8Array | ArrayBuffer): ArrayBufferLike {
  if (bytes instanceof ArrayBuffer) return bytes.slice(0);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

function openedBody(openSource: () => UploadStream | Promise<UploadStream>): UploadBody {
  let current: UploadBody | undefined;
  let failed: Failed | undefined;
  return {
    async open() {
      current?.close();
      try {
        const source: unknown = await openSource();
        if (!isStream(source)) throw new TypeError("The function must return a stream of bytes");
        current = streamBody(source);
      } catch (error) {
        failed = { error };
        throw error;
      }
      return current.open();
    },
    canRepeat: () => true,
    throwIfFailed() {
      if (failed) throw failed.error;
      current?.throwIfFailed();
    },
    close: () => current?.close(),
  };
}

interface Failed {
  readonly error: unknown;
}

function streamBody(source: UploadStream): UploadBody {
  if (wasRead(source))
    throw new TypeError("The stream was read already. Pass a new one, or a function that opens one");
  const iterator = iteratorOf(source);
  let isRead = false;
  let failed: Failed | undefined;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    isRead = true;
    try {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(checkChunk(value));
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  return {
    // Without a buffer, so that nothing is read before there is a connection.
    open: async () => new ReadableStream({ pull }, { highWaterMark: 0 }),
    canRepeat: () => !isRead,
    throwIfFailed() {
      if (failed) throw failed.error;
    },
    close: () => {
      // The iterator of a stream of Node waits for its next bytes before it closes.
      if ("destroy" in source && typeof source.destroy === "function") source.destroy();
      else iterator.return?.().catch(() => undefined);
    },
  };
}

/** Returns true if a part of the stream was read: the rest would be another file. Other iterators don't show it. */
function wasRead(source: UploadStream): boolean {
  if (!(source instanceof ReadableStream)) return Object(source).readableDidRead === true;
  try {
    // Checks it, as the standard says, and leaves it as it is.
    return new Response(source).bodyUsed;
  } catch {
    return true;
  }
}

/** Text would be sent as UTF-8, which is no file. */
function checkChunk(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`A stream of a file must yield Uint8Array, not ${typeof chunk}`);
}

/** Not every browser can iterate over a stream of the web. */
function iteratorOf(source: UploadStream): AsyncIterator<Uint8Array> {
  if (!(source instanceof ReadableStream)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function isStream(source: unknown): source is UploadStream {
  return source instanceof ReadableStream || Symbol.asyncIterator in Object(source);
}
