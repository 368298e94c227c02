import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const CONNECT = `npm run waypost -- org create --name "Shop"
npm run waypost -- channel connect --help
npm run waypost -- key create --org ORGANIZATION_ID --name "Shop backend"`;

/** How to connect a number at Meta, in the browser or by commands. */
export function RealNumber() {
  return (
    <>
      <Heading id="real">Connect a real WhatsApp number</Heading>
      <p>
        WhatsApp sends callbacks to Waypost, so first set <code>WAYPOST_PUBLIC_URL</code> to the public https
        address of Waypost. Then sign in to the admin app as an owner, as an admin, or as a member who can
        manage channels:
      </p>
      <ol>
        <li>
          Open Channels, then Connect a number. Enter the phone number ID, the ID of the WhatsApp Business
          account, a permanent access token and the app secret. Waypost checks them with Meta before it saves
          anything, and shows Meta’s errors at the fields. If the number was in use before, say so in the
          form. Then, for 24 hours, customers who have never written to the number in Waypost are treated as
          if they had.
        </li>
        <li>
          The channel’s page shows the callback URL and, only this once, the verify token. Enter both in your
          app at Meta, under WhatsApp, Configuration, and subscribe to <code>messages</code> and{" "}
          <code>message_template_status_update</code>.
        </li>
        <li>
          Send a message to the number from a phone. The page shows when Meta has verified the URL, and when
          the first callback has arrived.
        </li>
      </ol>
      <p>
        On the same page you can later change the channel’s credentials, name or verify token, make it the
        default channel, or disable it. The access token and the app secret are stored encrypted and never
        shown again.
      </p>
      <p>
        On the command line, <code>channel connect</code> shows which values it needs, checks them with Meta
        like the page does, and prints the callback URL. With <code>--unchecked</code> it saves them without a
        check.
      </p>
      <Shell lines={CONNECT} inCheckout />
    </>
  );
}
