import type { Documentation } from "@/server/boot/documentation";
import { Heading, Table } from "../parts/article";
import { daysAndHours, spanWords } from "./spans";

type Facts = Documentation["webhooks"];

/** What happens to an event that an endpoint doesn’t accept. */
export function Retries({ facts }: { facts: Facts }) {
  const { attemptsMax, retrySeconds, jitterPercent, disabledAfterDays } = facts;
  const total = retrySeconds.reduce((sum, seconds) => sum + seconds, 0);
  return (
    <>
      <Heading id="retries">When it isn’t taken</Heading>
      <p>
        It is tried {attemptsMax} times, over {daysAndHours(total)}. Each wait is up to {jitterPercent} %
        shorter or longer:
      </p>
      <Table
        head={["Attempt", "After the one before it"]}
        rows={[
          { key: "1", cells: ["1", "at once"] },
          ...retrySeconds.map((seconds, index) => ({
            key: String(index + 2),
            cells: [String(index + 2), spanWords(seconds)],
          })),
        ]}
      />
      <ul>
        <li>
          <code>Retry-After</code> makes a wait longer, up to twice as long as in the table. After a 429, and
          where no answer came in time, it is a minute at least.
        </li>
        <li>
          While an endpoint can’t be reached, times out or answers 429, nothing is posted to it for 5 seconds,
          and longer each time, up to 5 minutes; then a single event is, to see whether it is back. The other
          events wait, and use up none of their attempts.
        </li>
        <li>
          410 disables the endpoint at once, and so do {disabledAfterDays} days in which nothing but failures
          came. The admin app warns from the first day on. A member, or{" "}
          <code>PATCH /webhooks/&#123;id&#125;</code> with <code>&quot;enabled&quot;: true</code>, enables it
          again.
        </li>
      </ul>
    </>
  );
}
