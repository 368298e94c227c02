import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Table } from "../parts/article";
import { Shell } from "../parts/code";

export const metadata: Metadata = { title: "The admin app" };

const ROLES = ["owner", "admin", "agent"] as const;

const INVITE = `npm run waypost -- member invite --org ORGANIZATION_ID --email ada@example.com --role admin`;
const RESET = `npm run waypost -- member reset-password ada@example.com
npm run waypost -- member reset-2fa ada@example.com`;

export default async function AdminPage() {
  const { rights } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/admin"
      lead="What people do in the browser: find out what became of a message, and manage keys, numbers, contacts and each other."
    >
      <Heading id="sign-in">Signing in</Heading>
      <p>
        The demo that the first start makes prints an address and a password. On a database of your own each
        start prints a link for the first owner, until there is one; it works once. Everybody else is invited,
        under <strong>Members</strong> or by the command, by a link that you pass on yourself: Waypost sends
        no e-mail. A link ends after seven days, and with the right of whoever made it to invite. Passwords
        have at least 12 characters; those that others would try first are refused.
      </p>
      <Shell lines={INVITE} inCheckout />
      <p>
        Two-factor sign-in, its recovery codes, the password and the list of browsers that are signed in are
        under <strong>Account and security</strong>. Who has lost the password or the second factor gets a
        link from an operator:
      </p>
      <Shell lines={RESET} inCheckout />
      <p>
        Wrong passwords and codes are limited, for each network and for each account. A browser that has
        signed in to the account before has attempts of its own: whatever others try, it isn’t refused. A
        network that has done so has attempts of its own, too, which all who share it use. Whoever is wrong
        too often is slowed down, and not shut out: the refusal says how long to wait, which is two minutes at
        most. When very many people sign in at once, some are asked to try again in a few seconds; browsers
        that have signed in before wait apart from strangers.
      </p>

      <Heading id="message">Why did the customer get no message?</Heading>
      <ol>
        <li>
          Open <strong>Messages</strong> and put in what you have: the number in any spelling, the message’s
          id, the integrator’s <code>client_message_id</code>, the <code>request_id</code> of an answer, or
          WhatsApp’s own id. <kbd>Ctrl</kbd> <kbd>K</kbd> does the same from every page.
        </li>
        <li>
          Open the message. It says first what happened and what to do, then whether sending it again is safe,
          then when each step took place. It follows what happens; there is nothing to reload.
        </li>
        <li>
          A request that was refused at once stands among the customer’s messages, at its time, for seven
          days. Search by the whole number with its country’s code, or by the conversation’s id; of a number
          that a contact has, the last digits do.
        </li>
        <li>
          <strong>Requests</strong> lists the refusals of seven days, those with an unknown key left out. Of a
          key that is refused more than 60 times in a minute, the others are counted only, by the hour. Both
          pages say how many these were; they may include the customer’s. Where a request’s body couldn’t be
          read, it isn’t known for whom it was: such a refusal stands under <strong>Requests</strong> alone.
        </li>
        <li>
          A paused channel is announced on <strong>Messages</strong>, with the reason and the number of
          messages that wait, and has a dot in the navigation.
        </li>
      </ol>
      <p>
        <strong>Send again</strong> makes a new message of the same content. Where the first one may have
        arrived after all, it says so and asks you to accept that the customer may get it twice.
      </p>

      <Heading id="keys">Keys</Heading>
      <p>
        The secret of a key is shown once, when it is made or rotated, and nowhere afterwards. Rotating with
        an overlap lets the old secret work on until you have put the new one everywhere; revoking takes
        effect with the next request. Somebody found a key in a log? <strong>I found a key</strong> says which
        one it is and revokes it.
      </p>

      <Heading id="webhooks">Webhooks</Heading>
      <p>
        Each program that wants to be told what happens is an endpoint under <strong>Webhooks</strong>. Its
        secret is shown once; <strong>Send a test</strong> says at once what it answered, and if that was
        wrong, what to do. Its page lists every delivery with every attempt, and sends one again, or under{" "}
        <strong>Replay</strong> all of a time, which are counted first. Where nothing gets through, the page
        says why and since when; after five days the endpoint is disabled. What happens while it is can be
        sent once it is enabled again. A message’s own page shows every member which endpoints were told of
        it, and why one was not; who may manage webhooks goes on from there to the delivery.
      </p>

      <Heading id="channels">Channels</Heading>
      <p>
        Connecting a number takes four things from Meta’s developer pages: the phone number’s id, the id of
        the WhatsApp Business account, a permanent access token, and the app’s secret. They are checked with
        WhatsApp before anything is stored. Then enter at Meta the callback address and the verify token that
        the page shows, the token this once; the page notices when the first callback comes (
        <Link href="/docs/operating#real">step by step</Link>). That address is only right where{" "}
        <Link href="/docs/operating#variables">WAYPOST_PUBLIC_URL</Link> is the one under which the world
        reaches this server.
      </p>
      <Note>
        <p>
          A channel that WhatsApp has stopped, for an expired token or a missing payment, says so and what to
          do. Its messages wait. Once the cause is mended, Waypost goes on by itself; <strong>Resume</strong>{" "}
          lets it try at once.
        </p>
      </Note>

      <Heading id="roles">Who may do what</Heading>
      <p>
        Each member has a role in each organization. An agent can also be given some of it by name. Keys have
        scopes in place of roles, and can do none of what only people do.
      </p>
      <Table
        head={["May", "Owner", "Admin", "Agent"]}
        rows={rights.map(({ words, roles, isGrantable }) => ({
          key: words,
          cells: [
            words,
            ...ROLES.map((role) => (roles.includes(role) ? "yes" : isGrantable ? "if given" : "no")),
          ],
        }))}
      />
      <p>
        Every change is in the <strong>Audit log</strong>: who, when, from where, before and after, without
        secrets and without what messages say.
      </p>
    </Article>
  );
}
