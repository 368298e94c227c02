/** What a process has opened, closed in reverse order. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /** Closes all, once; a later call waits for the first. Failures don't keep the others from closing, nor throw. */
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const open: (() => Promise<void>)[] = [];
  let closing: Promise<void> = Promise.resolve();
  const closeEach = async () => {
    for (let close = open.pop(); close !== undefined; close = open.pop())
      await close().catch(() => undefined);
  };
  return {
    add: (close) => void open.push(close),
    closeAll: () => (closing = closing.then(closeEach)),
  };
}
