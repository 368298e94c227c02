/** Resources that a process has opened. They are closed in reverse order. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /**
   * Opens a resource that is closed later. If closing begins in the meantime, it first waits for the opening to end, so
   * that no resource loses one that it depends on.
   * @throws Error if closing has begun: nothing is opened any more.
   */
  open<T>(start: () => Promise<T>, close: (opened: T) => Promise<void>): Promise<T>;
  /**
   * Closes all resources, once. A later call waits for the first. Failures don't keep the others from closing, and
   * aren't thrown.
   */
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<void>)[] = [];
  let closing: Promise<void> = Promise.resolve();
  let isClosing = false;

  const closeEach = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop())
      await close().catch(() => undefined);
  };
  return {
    add: (close) => void closers.push(close),
    async open(start, close) {
      if (isClosing) throw new Error("Nothing is opened while the process stops");
      const opening = start();
      closers.push(async () => close(await opening));
      return opening;
    },
    closeAll: () => {
      isClosing = true;
      return (closing = closing.then(closeEach));
    },
  };
}
