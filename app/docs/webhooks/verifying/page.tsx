import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Table } from "../../parts/article";
import { Sample, Shell } from "../../parts/code";
import { OPENSSL, POST_SIGNED, PYTHON, RECEIVER, TYPESCRIPT } from "./samples";

export const metadata: Metadata = { title: "Verifying webhooks" };

const HEADERS = [
  [
    "webhook-id",
    "The id of the event, which the body holds as id. The same at every endpoint, however often it is sent.",
  ],
  ["webhook-timestamp", "When this attempt was made, in seconds since 1970."],
  [
    "webhook-signature",
    "One signature, or several with spaces between them: each is a version, a comma, and base64.",
  ],
] as const;

export default async function VerifyingPage() {
  const { secretOverlapHours, formerSecretsMax } = (await getRuntime()).documentation.webhooks;
  return (
    <Article
      path="/docs/webhooks/verifying"
      lead={
        <>
          Anybody who knows the address of your endpoint can post to it. The signature tells you that it was
          Waypost, that nobody changed the body, and that it isn’t an old webhook sent again.
        </>
      }
    >
      <Heading id="how">How it is signed</Heading>
      <p>
        After <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, as many other services do, so
        a library for your language is likely there already. Three headers come with each webhook:
      </p>
      <Table
        isStacked
        head={["Header", "Holds"]}
        rows={HEADERS.map(([name, holds]) => ({
          key: name,
          cells: [<code key="name">{name}</code>, holds],
        }))}
      />
      <p>
        A signature <code>v1</code> is the HMAC-SHA256 of id, timestamp and body, with a dot between them. Its
        key is what stands behind <code>whsec_</code> in the endpoint’s secret, read as base64.
      </p>
      <Note>
        <p>Four things to get right, whatever the language:</p>
        <ul>
          <li>
            Take the <strong>body as it came</strong>, before anything parses it. Written again, the same JSON
            is other bytes.
          </li>
          <li>
            Compare in <strong>constant time</strong>, with the function that your language has for it.
          </li>
          <li>
            Refuse what is <strong>more than five minutes</strong> old, or ahead: check your server’s clock.
          </li>
          <li>
            Try <strong>each signature</strong> of the header: any that matches will do. For{" "}
            {secretOverlapHours} hours after a <Link href="/docs/webhooks#secret">rotation</Link> there is one
            for each secret, of the replaced ones the last {formerSecretsMax} at most, so that you can change
            it in your program at any time in between.
          </li>
        </ul>
      </Note>

      <Heading id="typescript">TypeScript</Heading>
      <p>
        With the published package, <code>npm install standardwebhooks</code>, a whole program that takes
        webhooks on port 4000, each event once:
      </p>
      <Sample name="receiver" lines={RECEIVER} />
      <p>By hand, with nothing but Node.js:</p>
      <Sample name="typescript" lines={TYPESCRIPT} />

      <Heading id="python">Python</Heading>
      <p>
        With nothing but Python 3.9 or newer. There is a package, too:{" "}
        <code>pip install standardwebhooks</code>, and <code>Webhook(secret).verify(body, headers)</code>{" "}
        raises where this answers <code>False</code>.
      </p>
      <Sample name="python" lines={PYTHON} />
      <p>
        Frameworks give you the bytes as <code>request.get_data()</code> (Flask), <code>request.body</code>{" "}
        (Django) or <code>await request.body()</code> (FastAPI).
      </p>

      <Heading id="shell">In a shell</Heading>
      <p>
        To look into one webhook by hand: put its headers into variables and its body, byte for byte, into{" "}
        <code>body.json</code>. This prints the signature that it should have. It is no constant-time
        comparison, so leave it out of programs.
      </p>
      <Sample name="openssl" lines={OPENSSL} />
      <p>
        To see that your program takes what is signed, without waiting for an event, post one yourself. Your
        program should answer 2xx, and refuse it once you change a character of the secret:
      </p>
      <Shell lines="export RECEIVER_URL=http://localhost:4000/" />
      <Sample name="post" lines={POST_SIGNED} />
      <p>
        The <Link href="/docs/webhooks#test">test of an endpoint</Link> does the same from Waypost, over the
        way that events take.
      </p>

      <Heading id="after">After that</Heading>
      <p>
        Answer 2xx as soon as the event is stored on your side, and work on it afterwards. Process each{" "}
        <code>webhook-id</code> once, whichever endpoint it came to:{" "}
        <Link href="/docs/webhooks#order">it can come again</Link>.
      </p>
    </Article>
  );
}
