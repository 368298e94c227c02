import { Time, useNow } from "@/app/ui/time";

const SOON_MS = 20_000;

/** When something is due that comes by itself: what is due now, or was a moment ago, isn't done yet. */
export function Due({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const now = useNow();
  return Date.parse(at) - now < SOON_MS ? "any moment now" : <Time at={at} isExact={isExact} />;
}
