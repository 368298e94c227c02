import { useEffect, useMemo } from "react";

interface Pages<T> {
  readonly data: { readonly pages: readonly { readonly data: readonly T[] }[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  fetchNextPage(options: { cancelRefetch: boolean }): Promise<unknown>;
}

/** Reads all pages of a list, one after the other: for choices, none of which may be missing. */
export function useAllPages<T>({
  data,
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: Pages<T>): readonly T[] {
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) {
      // Two components that read the same list would otherwise cancel each other's requests.
      void fetchNextPage({ cancelRefetch: false });
    }
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
}
