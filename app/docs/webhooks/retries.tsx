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
          An endpoint that can’t be reached, times out or answers 429 is paused. A connection that is cut and
          an answer that isn’t HTTP count as not reached. Nothing is posted to it for about 5 seconds, and
          longer each time, up to about 5 minutes. Then a single event is posted, to see whether it is back.
          The other events wait, and use up none of their attempts; their <code>next_attempt_at</code> can be
          in the past.
        </li>
        <li>
          When your program is back, <a href="#test">test the endpoint</a>: a test that succeeds ends this
          pause, and what is due comes at once.
        </li>
        <li>
          410 disables the endpoint at once (as the answer to a test it doesn’t), and so do{" "}
          {disabledAfterDays} days in which nothing but failures came. The admin app warns from the first day
          on. A member, or <code>PATCH /webhooks/&#123;id&#125;</code> with{" "}
          <code>&quot;enabled&quot;: true</code>, enables it again.
        </li>
      </ul>
    </>
  );
}
