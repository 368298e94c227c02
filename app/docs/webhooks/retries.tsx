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
      <Heading id="retries">Retries</Heading>
      <p>
        Waypost makes up to {attemptsMax} attempts over {daysAndHours(total)}. Each wait is up to{" "}
        {jitterPercent} % shorter or longer than in this table:
      </p>
      <Table
        head={["Attempt", "Wait after the previous attempt"]}
        rows={[
          { key: "1", cells: ["1", "immediately"] },
          ...retrySeconds.map((seconds, index) => ({
            key: String(index + 2),
            cells: [String(index + 2), spanWords(seconds)],
          })),
        ]}
      />
      <ul>
        <li>
          <code>Retry-After</code> makes a wait longer, up to twice as long as in the table. After a 429 or a
          timeout, the wait is at least one minute.
        </li>
        <li>
          An endpoint that can’t be reached, times out or responds with 429 is paused. A broken connection or
          a response that isn’t HTTP counts as not reached. Nothing is posted to a paused endpoint for about 5
          seconds, then longer each time, up to about 5 minutes. After each pause, a single event is posted to
          check whether the endpoint is back. The other events wait and use none of their attempts. Their{" "}
          <code>next_attempt_at</code> can be in the past.
        </li>
        <li>
          When your application is back, <a href="#test">test the endpoint</a>: a successful test ends the
          pause, and due events are posted immediately.
        </li>
        <li>
          A 410 response disables the endpoint immediately, except in response to a test. An endpoint is also
          disabled after {disabledAfterDays} days with only failures. The admin app shows a warning while its
          attempts fail. A member can enable the endpoint again. You can also use{" "}
          <code>PATCH /webhooks/&#123;id&#125;</code> with <code>&quot;enabled&quot;: true</code>.
        </li>
      </ul>
    </>
  );
}
