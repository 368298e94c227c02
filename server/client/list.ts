import type { Page } from "./types.js";

interface ListQuery {
  readonly cursor?: string | undefined;
}

/**
 * A list of the API, which comes in pages. `for await` reads the entries of all pages and fetches a page when it needs
 * one; `await list` or `list.page()` fetches one page. Nothing is requested before that.
 */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #query: ListQuery;
  readonly #fetchPage: (query: ListQuery) => Promise<Page<Item>>;

  constructor(query: ListQuery, fetchPage: (query: ListQuery) => Promise<Page<Item>>) {
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  /** Fetches the first page, or the one at the `cursor` of the query. */
  async page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#query);
  }

  /** Reads all entries from there on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let { cursor } = this.#query; ;) {
      const { data, next_cursor: next } = await this.#fetchPage({ ...this.#query, cursor });
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
