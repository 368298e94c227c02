import { exactTime } from "@/app/ui/time";
import { clockWords } from "./words";

/** A time of the day, under the heading of its day. The exact one shows on hover. */
export function Clock({ at }: { at: string | Date }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)} suppressHydrationWarning>
      {clockWords(date)}
    </time>
  );
}
