import { randomBytes } from "node:crypto";
import type { Demo } from "./demo";

/**
 * Prints what a person needs for the first message: the sign-in address, the API key, a shell command that can be
 * pasted, the customer's phone, and the page that shows its events. The key is shown here and never again.
 */
export function greeting(demo: Demo): string {
  const message = {
    client_message_id: `hello-${randomBytes(4).toString("hex")}`,
    type: "text",
    to: { kind: "whatsapp", handle: demo.contacts.open_window.handle },
    text: { body: "Hello from Waypost" },
  };
  const phone = `${demo.base_url}/o/${demo.organization_id}/phone/${demo.channels.default}/${demo.contacts.open_window.handle}`;
  return `A demo organization is ready at ${demo.base_url}

  Organization  ${demo.organization_id}
  API key       ${demo.api_key.secret}
  Sign-in       ${demo.sign_in.email}
  Password      ${demo.sign_in.password}

The API key and the password are shown only once. Sign in at ${demo.base_url}/sign-in. Send your first message:

curl -sS ${demo.base_url}/api/public/v1/messages \\
  -H 'Authorization: Bearer ${demo.api_key.secret}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(message)}'

Then open the phone of the customer who got it, and answer as that customer: ${phone}

You can see the message's webhook events in the demo's Webhook inbox: ${demo.base_url}/o/${demo.organization_id}/webhooks/inbox
`;
}
