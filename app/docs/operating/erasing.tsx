import Link from "next/link";
import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const KEEP = `npm run waypost -- org set ORGANIZATION_ID --retention-days 30`;

const ERASE = `npm run waypost -- contact erase --help`;

/** How long data is kept, and how to erase a customer’s data. */
export function Erasing() {
  return (
    <>
      <Heading id="erasing">Data retention and erasure</Heading>
      <p>
        The content and recipients of messages are kept for 90 days, or for the number of days set for the
        organization, at least 2. Then texts, files and numbers are erased. Ids, states, error codes and times
        are kept, so that a repeated request still gets its response and no id can be reused.
      </p>
      <p>
        WhatsApp’s callbacks are kept unchanged for 30 days, or for less if content is kept for less. Refused
        requests with a known key are kept for 7 days, at most 60 a minute for each key. They contain the
        request id, route, status, code, field and <code>client_message_id</code>, and nothing else of the
        body. The number of refused requests per hour is kept for 400 days.
      </p>
      <Shell lines={KEEP} inCheckout />
      <p>
        With <code>--upload-quota 20GiB</code>, the same command sets the quota for the{" "}
        <Link href="/docs/uploads#limits">uploads</Link> of an organization. The default is 10 GiB.{" "}
        <code>org list</code> shows how much space they use.
      </p>
      <p>
        <code>contact erase</code> erases one customer from every table, stored callback and file, including
        uploads that were sent to nobody else. Waiting messages to this customer fail with{" "}
        <Link href="/docs/errors#contact_erased">
          <code>contact_erased</code>
        </Link>
        .
      </p>
      <Shell lines={ERASE} answers={[]} inCheckout />
      <p>No command can erase the following data. You may have to erase it yourself:</p>
      <ul>
        <li>backups, which contain the data of the time when they were made;</li>
        <li>
          PostgreSQL’s own files, which contain erased rows until vacuum and the recycling of its write-ahead
          log have overwritten them;
        </li>
        <li>the simulator’s ledger, if messages were sent to the simulator;</li>
        <li>data at WhatsApp and on the customer’s own devices.</li>
      </ul>
    </>
  );
}
