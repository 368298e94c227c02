import { useEffect, useMemo } from "react";

interface Pages<T> {
  readonly data: { readonly pages: readonly { readonly data: readonly T[] }[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  fetchNextPage(options: { cancelRefetch: boolean }): Promise<unknown>;
}

/** All of a list that is read by a cursor, page after page: for choices, of which none may be missing. */
export function useAllPages<T>({
  data,
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: Pages<T>): readonly T[] {
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) {
      // Two that read the same list would cancel each other's.
      void fetchNextPage({ cancelRefetch: false });
    }
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
}
