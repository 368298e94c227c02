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
      lead="Use the admin app in the browser to check what happened to a message, and to manage keys, numbers, contacts and members."
    >
      <Heading id="sign-in">Sign in</Heading>
      <p>
        The first start creates a demo organization and prints an email address and a password for it. With
        your own database, each start prints a link for the first owner until there is an owner. The link
        works once. Invite all other members under <strong>Members</strong> or with the command below. You
        send them the invitation link yourself, because Waypost sends no email.
      </p>
      <p>
        An invitation link expires after seven days. It also becomes invalid if the member who created it
        loses the right to invite. Passwords have at least 12 characters. Common passwords are refused.
      </p>
      <Shell lines={INVITE} inCheckout />
      <p>
        Under <strong>Account and security</strong> you find two-factor sign-in, its recovery codes, the
        password and the list of signed-in browsers. If somebody has lost the password, an operator creates a
        link for a new password with the first command below. If somebody has lost the second factor, the
        second command turns two-factor sign-in off:
      </p>
      <Shell lines={RESET} inCheckout />
      <p>
        Attempts with wrong passwords and codes are limited, for each network and for each account. A browser
        that has signed in to the account before has its own attempts: attempts by others never block it. A
        network from which somebody has signed in to the account before also has its own attempts, shared by
        everyone on that network. Too many wrong attempts cause a delay, not a lockout: the refusal says how
        long to wait, at most two minutes. If very many people sign in at the same time, some are asked to try
        again in a few seconds. Browsers that have signed in before wait in a separate queue from unknown
        browsers.
      </p>

      <Heading id="message">Find out why a customer got no message</Heading>
      <ol>
        <li>
          Open <strong>Messages</strong> and search for what you have: the phone number in any format, the id
          of the message, the integrator’s <code>client_message_id</code>, the <code>request_id</code> of a
          response, or WhatsApp’s own id. You can search from every page with <kbd>Ctrl</kbd> <kbd>K</kbd>.
        </li>
        <li>
          Open the message. Its page shows what happened and what to do, then whether it is safe to send the
          message again, then the time of each step. The page updates automatically, so you don’t need to
          reload it.
        </li>
        <li>
          A request that was refused immediately is listed among the customer’s messages, at the time of the
          request, for seven days. Search for the full number with its country code, or for the id of the
          conversation. For the number of a contact, the last digits are enough.
        </li>
        <li>
          <strong>Requests</strong> lists the refused requests of the last seven days, except those with an
          unknown key. If a key has more than 60 refused requests in a minute, the rest are only counted, per
          hour. Both pages show how many these were. They may include requests for this customer. If the body
          of a request couldn’t be read, the recipient is unknown. Such a refusal is listed only under{" "}
          <strong>Requests</strong>.
        </li>
        <li>
          If a channel is paused, <strong>Messages</strong> shows the reason and the number of waiting
          messages. The navigation marks it with a dot.
        </li>
      </ol>
      <p>
        <strong>Send again</strong> creates a new message with the same content. If the first message may have
        arrived after all, you are asked to confirm that the customer may get it twice.
      </p>

      <Heading id="keys">API keys</Heading>
      <p>
        The secret of a key is shown only once, when the key is created or rotated. If you rotate a key with
        an overlap, the previous secret keeps working while you replace it everywhere. Revoking a key takes
        effect with the next request. If somebody finds a key in a log, use <strong>Look up a key</strong> to
        identify and revoke it.
      </p>

      <Heading id="webhooks">Webhooks</Heading>
      <p>
        Under <strong>Webhooks</strong>, create an endpoint for each application that receives events. The
        signing secret is shown once. <strong>Send a test</strong> immediately shows the endpoint’s response
        and, if it failed, what to do.
      </p>
      <p>
        The page of an endpoint lists all deliveries with all attempts. You can redeliver a single event
        there, or all events of a period under <strong>Replay</strong>, which counts them first. If all
        deliveries fail, the page shows the reason and since when. After five days the endpoint is disabled.
        Events that are created while it is disabled can be sent after you enable it again.
      </p>
      <p>
        The page of a message shows all members which endpoints received its events, and why an endpoint did
        not. Members who can manage webhooks can open the delivery from there.
      </p>

      <Heading id="channels">Channels</Heading>
      <p>
        To connect a number, you need four values from Meta’s developer pages: the phone number ID, the ID of
        the WhatsApp Business account, a permanent access token, and the app secret. Waypost checks them with
        WhatsApp before it stores anything. Then enter the callback URL and the verify token from the page at
        Meta. The token is shown only this once. The page updates when the first callback arrives. For
        details, see <Link href="/docs/operating#real">Connect a real WhatsApp number</Link>. The callback URL
        is correct only if <Link href="/docs/operating#variables">WAYPOST_PUBLIC_URL</Link> is the public
        address of this server.
      </p>
      <Note>
        <p>
          If WhatsApp has stopped a channel, for an expired token or a missing payment, the page of the
          channel shows the reason and what to do. Its messages wait. Once the cause is fixed, Waypost
          continues automatically. With <strong>Resume</strong>, it tries immediately.
        </p>
      </Note>

      <Heading id="roles">Roles and permissions</Heading>
      <p>
        Each member has a role in each organization. Agents can also be granted some permissions individually.
        API keys have scopes instead of roles, and can’t do what is reserved for members.
      </p>
      <Table
        head={["Permission", "Owner", "Admin", "Agent"]}
        rows={rights.map(({ words, roles, isGrantable }) => ({
          key: words,
          cells: [
            words,
            ...ROLES.map((role) => (roles.includes(role) ? "yes" : isGrantable ? "if granted" : "no")),
          ],
        }))}
      />
      <p>
        The <strong>Audit log</strong> records every change: who made it, when and from where, and the values
        before and after. It contains no secrets and no message content.
      </p>
    </Article>
  );
}
