import { Time, useNow } from "@/app/ui/time";

const SOON_MS = 20_000;

/** Shows when something automatic is due. If it is due now, or was a moment ago, it isn't done yet. */
export function Due({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const now = useNow();
  return Date.parse(at) - now < SOON_MS ? "any moment now" : <Time at={at} isExact={isExact} />;
}
