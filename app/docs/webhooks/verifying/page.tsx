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
    "Id of the event, which is also the id in the body. It is the same for every endpoint and every attempt.",
  ],
  ["webhook-timestamp", "Time of this attempt, in Unix seconds (seconds since 1970)."],
  [
    "webhook-signature",
    "One or more signatures, separated by spaces. Each consists of a version, a comma and base64.",
  ],
] as const;

export default async function VerifyingPage() {
  const { secretOverlapHours, formerSecretsMax } = (await getRuntime()).documentation.webhooks;
  return (
    <Article
      path="/docs/webhooks/verifying"
      lead={
        <>
          Anybody who knows the URL of your endpoint can post to it. The signature proves that a webhook comes
          from Waypost, that its body was not changed, and that it is not an old webhook that somebody sends
          again.
        </>
      }
    >
      <Heading id="how">How webhooks are signed</Heading>
      <p>
        Like many other services, Waypost signs webhooks according to{" "}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, so a library for your language
        probably exists. Each webhook has three headers:
      </p>
      <Table
        isStacked
        head={["Header", "Content"]}
        rows={HEADERS.map(([name, holds]) => ({
          key: name,
          cells: [<code key="name">{name}</code>, holds],
        }))}
      />
      <p>
        A <code>v1</code> signature is the HMAC-SHA256 of the id, the timestamp and the body, joined by dots.
        The HMAC key is the part of the endpoint’s signing secret after <code>whsec_</code>, decoded from
        base64.
      </p>
      <Note>
        <p>Four points are important in any language:</p>
        <ul>
          <li>
            Use the <strong>raw body</strong>, before anything parses it. If you parse and serialize the JSON
            again, the bytes differ.
          </li>
          <li>
            Compare signatures in <strong>constant time</strong>, with the function that your language
            provides for it.
          </li>
          <li>
            Refuse a webhook whose timestamp is <strong>more than five minutes</strong> in the past or in the
            future. Make sure that your server’s clock is correct.
          </li>
          <li>
            Check <strong>each signature</strong> in the header. The webhook is genuine if any of them
            matches. For {secretOverlapHours} hours after a <Link href="/docs/webhooks#secret">rotation</Link>
            , the header has one signature for the new secret and one for each previous secret, at most the
            last {formerSecretsMax}. You can change the secret in your application at any time in this period.
          </li>
        </ul>
      </Note>

      <Heading id="typescript">TypeScript</Heading>
      <p>
        This complete program uses the published package (<code>npm install standardwebhooks</code>). It
        receives webhooks on port 4000 and processes each event once:
      </p>
      <Sample name="receiver" lines={RECEIVER} />
      <p>Without a package, with Node.js only:</p>
      <Sample name="typescript" lines={TYPESCRIPT} />

      <Heading id="python">Python</Heading>
      <p>
        This function needs only Python 3.9 or newer. There is also a package,{" "}
        <code>pip install standardwebhooks</code>. Its <code>Webhook(secret).verify(body, headers)</code>{" "}
        raises an exception in the cases in which this function returns <code>False</code>.
      </p>
      <Sample name="python" lines={PYTHON} />
      <p>
        Frameworks provide the raw bytes as <code>request.get_data()</code> (Flask), <code>request.body</code>{" "}
        (Django) or <code>await request.body()</code> (FastAPI).
      </p>

      <Heading id="shell">In a shell</Heading>
      <p>
        To check a single webhook by hand, put its headers into shell variables and its body, byte for byte,
        into <code>body.json</code>. These commands print the expected signature. This is not a constant-time
        comparison, so don’t use it in applications.
      </p>
      <Sample name="openssl" lines={OPENSSL} />
      <p>
        To check that your application accepts signed webhooks without waiting for an event, post one
        yourself. Your application should respond with 2xx, and refuse the webhook after you change a
        character of the secret:
      </p>
      <Shell lines="export RECEIVER_URL=http://localhost:4000/" />
      <Sample name="post" lines={POST_SIGNED} />
      <p>
        The <Link href="/docs/webhooks#test">endpoint test</Link> does the same from Waypost, on the same path
        as real events.
      </p>

      <Heading id="after">After verification</Heading>
      <p>
        Respond with 2xx as soon as you have stored the event, and process it afterwards. Process each{" "}
        <code>webhook-id</code> once, whichever endpoint received it, because{" "}
        <Link href="/docs/webhooks#order">an event can arrive more than once</Link>.
      </p>
    </Article>
  );
}
