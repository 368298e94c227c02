import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const CONNECT = `npm run waypost -- org create --name "Shop"
npm run waypost -- channel connect --help
npm run waypost -- key create --org ORGANIZATION_ID --name "Shop backend"`;

/** How a number of Meta's is connected, in the browser or by commands. */
export function RealNumber() {
  return (
    <>
      <Heading id="real">With a real WhatsApp number</Heading>
      <p>
        WhatsApp calls Waypost back, so set <code>WAYPOST_PUBLIC_URL</code> first, to the https address under
        which others reach it. Then, in the browser, as an owner, an admin, or who may manage channels:
      </p>
      <ol>
        <li>
          Channels, Connect a number. It takes the phone number ID, the ID of the WhatsApp Business account, a
          lasting access token and the app secret. Meta is asked about them before anything is saved; what it
          refuses is said at its field, in its own words. If the number was in use before, say so: for 24
          hours customers who never wrote to it here then count as if they had.
        </li>
        <li>
          The channel’s page shows the callback address and, this once, the verify token. Enter both in the
          app at Meta, under WhatsApp, Configuration, and subscribe to <code>messages</code> and{" "}
          <code>message_template_status_update</code>.
        </li>
        <li>
          Write to the number from a phone. The page says when Meta has verified the address, and when the
          first callback has come.
        </li>
      </ol>
      <p>
        Later the same page gives the channel other credentials, another name or verify token, makes it the
        default, and disables it. Token and app secret are stored encrypted, and shown nowhere again. By
        commands, <code>channel connect</code> says what it needs, asks Meta as the page does, and prints the
        callback address; with <code>--unchecked</code> it saves without asking.
      </p>
      <Shell lines={CONNECT} inCheckout />
    </>
  );
}
