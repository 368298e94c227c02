import { Text } from "@mantine/core";
import { Time } from "@/app/ui/time";
import type { RequestPage } from "../requests/refused-request";
import { InlineLink } from "../shared/inline-link";

/** Says, below a customer's results, that there may be refused requests of theirs that were not stored. */
export function NotKept({ hours, to }: { hours: RequestPage["omitted"]; to: string }) {
  const first = hours.at(-1);
  if (first === undefined) return null;
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  return (
    <Text size="sm" mt="sm">
      {count === 1
        ? "One more request was refused, but not stored individually"
        : `${count.toLocaleString("en")} more requests were refused, but not stored individually`}{" "}
      since <Time at={first.hour} />. This may include requests to this customer.{" "}
      <InlineLink to={`/requests?${new URLSearchParams({ to }).toString()}`}>See counts per hour</InlineLink>
    </Text>
  );
}
