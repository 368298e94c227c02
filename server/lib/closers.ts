/** What a process has opened, closed in reverse order. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /**
   * Opens something that is closed later on. When closing begins meanwhile, the opening is waited for first, so that
   * nothing loses what it stands on.
   * @throws Error when closing has begun: nothing is opened any more.
   */
  open<T>(start: () => Promise<T>, close: (opened: T) => Promise<void>): Promise<T>;
  /** Closes all, once; a later call waits for the first. Failures don't keep the others from closing, nor throw. */
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
