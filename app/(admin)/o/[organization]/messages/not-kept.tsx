import { Text } from "@mantine/core";
import { Time } from "@/app/ui/time";
import type { RequestPage } from "../requests/refused-request";
import { InlineLink } from "../shared/inline-link";

/** Says, under what was found of a customer, that there may be refusals of theirs of which nothing was kept. */
export function NotKept({ hours, to }: { hours: RequestPage["omitted"]; to: string }) {
  const first = hours.at(-1);
  if (first === undefined) return null;
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  return (
    <Text size="sm" mt="sm">
      {count === 1
        ? "One more request was refused, and not kept by itself"
        : `${count.toLocaleString("en")} more requests were refused, and not kept one by one`}
      , since <Time at={first.hour} />: they may include this customer’s.{" "}
      <InlineLink to={`/requests?${new URLSearchParams({ to }).toString()}`}>
        How many in which hour
      </InlineLink>
    </Text>
  );
}
