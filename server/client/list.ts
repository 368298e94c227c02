import type { Page } from "./types.js";

/** Fetches the page at a cursor; the first page without one. */
export type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * A list of the API, which comes in pages. `for await` reads the entries of all pages and fetches a page when it needs
 * one; `await list` or `list.page()` fetches one page. Nothing is requested before that.
 */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #cursor: string | undefined;

  constructor(fetchPage: FetchPage<Item>, cursor?: string) {
    this.#fetchPage = fetchPage;
    this.#cursor = cursor;
  }

  /** Fetches the first page, or the one at the `cursor` of the query. */
  async page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#cursor);
  }

  /** Reads all entries from there on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let cursor = this.#cursor; ;) {
      const { data, next_cursor: next } = await this.#fetchPage(cursor);
      yield* data;
      // Deliveries in their order (`order: "oldest"`) have a cursor after the last one too, which stays the same.
      if (next === null || (data.length === 0 && next === cursor)) return;
      cursor = next;
    }
  }

  /** Makes `await list` the same as `await list.page()`. */
  then<Fulfilled = Page<Item>, Rejected = never>(
    onFulfilled?: ((page: Page<Item>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page().then(onFulfilled, onRejected);
  }
}
