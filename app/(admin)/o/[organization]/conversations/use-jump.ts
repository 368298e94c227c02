import { useEffect, useState } from "react";

interface Growing {
  readonly hasNextPage: boolean;
  fetchNextPage(): Promise<{ readonly hasNextPage: boolean; readonly isError: boolean }>;
}

const FOUND_MS = 2_500;

/** The element of an entry. */
export const elementIdOf = (id: string) => `entry-${id}`;

const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));

/** Goes to an entry of the list. If it isn't loaded yet, earlier pages are loaded until it is. */
export function useJump(query: Growing): { readonly foundId: string | null; to(id: string): void } {
  const [foundId, setFoundId] = useState<string | null>(null);
  useEffect(() => {
    if (foundId === null) return undefined;
    const timer = setTimeout(() => setFoundId(null), FOUND_MS);
    return () => clearTimeout(timer);
  }, [foundId]);
  const to = async (id: string) => {
    if (await findElement(id, query)) setFoundId(id);
  };
  return { foundId, to: (id) => void to(id) };
}

async function findElement(id: string, { hasNextPage, fetchNextPage }: Growing): Promise<boolean> {
  let isMore = hasNextPage;
  for (;;) {
    const element = document.getElementById(elementIdOf(id));
    if (element !== null) {
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
      return true;
    }
    if (!isMore) return false;
    const { hasNextPage: isStillMore, isError } = await fetchNextPage();
    isMore = isStillMore && !isError;
    await nextFrame();
  }
}
