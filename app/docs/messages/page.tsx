import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Table } from "../parts/article";
import { Shell } from "../parts/code";

export const metadata: Metadata = { title: "Texts, media and templates" };

const IMAGE = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "photo-1",
  "type": "image",
  "to": { "kind": "whatsapp", "handle": "$NUMBER" },
  "text": { "body": "Is this the one you mean?" },
  "media": { "url": "https://www.example.com/parcel.jpg", "mime_type": "image/jpeg" }
}
JSON`;

const TEMPLATES = `curl -sS "$WAYPOST_URL/api/public/v1/templates?state=approved" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;

const FROM_DEMO = `export TEMPLATE_ID=$(from_demo templates.approved.template_submission_id)`;

const TEMPLATE = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "order-4711-shipped",
  "type": "template",
  "to": { "kind": "whatsapp", "handle": "$NUMBER" },
  "template": { "template_submission_id": "$TEMPLATE_ID", "variables": { "1": "Ana", "2": "4711" } }
}
JSON`;

const CHANNELS = `curl -sS "$WAYPOST_URL/api/public/v1/channels" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;

const VARIABLES = [
  { name: "1", meaning: "The placeholder {{1}} in the text. A named placeholder has its own name" },
  { name: "header.1", meaning: "The placeholder in the header" },
  { name: "header.url", meaning: "The https URL of the image, video or document in the header" },
  { name: "button.0.1", meaning: "The placeholder in the URL of the first button" },
  { name: "button.0.code", meaning: "The code that the first button copies" },
] as const;

export default async function MessagesPage() {
  const { mediaTypes } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/messages"
      lead={
        <>
          Send every message with <code>POST /messages</code>. The <code>type</code> determines the other
          fields of the body, and when WhatsApp accepts the message.
        </>
      }
    >
      <Heading id="window">The customer service window</Heading>
      <p>
        WhatsApp accepts texts and media only within 24 hours of the customer’s last message to that number.
        After that, Waypost refuses the request immediately with{" "}
        <Link href="/docs/errors#outside_customer_window">
          <code>outside_customer_window</code>
        </Link>
        . You can send a template at any time, but a template doesn’t open the window: only a message from the
        customer does.
      </p>
      <p>
        No route shows whether a window is open. Either store the <code>written_at</code> of the customer’s
        last <code>message.received</code>, or send the text and use a template if the text is refused.
      </p>

      <Heading id="to">Recipient and channel</Heading>
      <p>
        Give either <code>to</code> or <code>thread_id</code>. <code>to</code> is a phone number in E.164
        format without the plus sign. Waypost finds the contact and the conversation, or creates them.{" "}
        <code>thread_id</code> is the id of a conversation from an earlier response. A message that you send
        doesn’t reopen a closed conversation, and doesn’t change its assignee.
      </p>
      <p>
        A channel is one of your WhatsApp numbers. <code>channel_id</code> selects the channel that the
        message is sent from. Give it if you have several channels. Without it, Waypost uses the first of
        these that applies:
      </p>
      <ol>
        <li>
          with <code>thread_id</code>: the channel of the conversation;
        </li>
        <li>
          with <code>template_submission_id</code>: the channel of the template;
        </li>
        <li>the channel that the customer last wrote to;</li>
        <li>the default channel or, if the key may not use it, the oldest channel that the key may use.</li>
      </ol>
      <p>List your channels:</p>
      <Shell lines={CHANNELS} answers={[200]} />

      <Heading id="text">Text</Heading>
      <p>
        <code>text.body</code> has 1 to 4096 characters and must not be blank. For an example, see{" "}
        <Link href="/docs/first-message#send">Your first message</Link>.
      </p>

      <Heading id="media">Image, audio, video, document</Heading>
      <p>
        <code>media</code> identifies the file: either the <code>storage_key</code> of{" "}
        <Link href="/docs/uploads">an upload</Link>, or a public <code>url</code> from which WhatsApp
        downloads the file when the message is sent. Prefer uploads: Waypost then reports a problem with the
        file before it accepts the message.
      </p>
      <p>
        <code>text.body</code> is the caption, at most 1024 characters. An audio message has no caption.{" "}
        <code>media.filename</code> is the name that the customer sees for a document. Without it, the
        customer sees the <code>X-Filename</code> of the upload. You can set it for other types too, but
        WhatsApp shows no name for them. An upload keeps its own media type, whatever{" "}
        <code>media.mime_type</code> says.
      </p>
      <Shell lines={IMAGE} answers={[201]} />
      <p>
        A URL must be https, without credentials, on a public host. Any other URL is refused with{" "}
        <Link href="/docs/errors#media_url_forbidden">
          <code>media_url_forbidden</code>
        </Link>
        . A URL is refused with{" "}
        <Link href="/docs/errors#invalid_media">
          <code>invalid_media</code>
        </Link>{" "}
        if its path ends in the extension of a file that WhatsApp doesn’t accept for the message type, for
        example <code>photo.webp</code> for an image, unless <code>media.mime_type</code> says that the file
        has another type. WhatsApp accepts these types and sizes:
      </p>
      <Table
        isStacked
        head={["Message type", "Maximum file size", "Media types"]}
        rows={mediaTypes.map(({ type, sizeBytesMax, mimeTypes }) => ({
          key: type,
          cells: [<code key="type">{type}</code>, `${sizeBytesMax / 1024 / 1024} MiB`, mimeTypes.join(", ")],
        }))}
      />

      <Heading id="template">Template</Heading>
      <p>
        A template is a text with placeholders that WhatsApp has approved. Create templates in Meta’s WhatsApp
        Manager; Waypost doesn’t create templates. A new template appears in Waypost within ten minutes, or
        immediately after you click <em>Synchronize with WhatsApp</em> on the Templates page of the admin app.
        List the templates of your channels, with the <code>variables</code> that each one requires:
      </p>
      <Shell lines={TEMPLATES} answers={[200]} />
      <p>
        Identify the template by its <code>template_submission_id</code>, or by <code>name</code> and{" "}
        <code>language</code>, for example <code>en</code>, <code>fil</code> or <code>en_US</code>. Give a
        value for each of its variables, and for no others. This example uses the demo organization from{" "}
        <Link href="/docs/first-message">Your first message</Link>, and the <code>from_demo</code> function
        defined there:
      </p>
      <Shell lines={FROM_DEMO} answers={[]} inCheckout />
      <Shell lines={TEMPLATE} answers={[201]} />
      <Table
        head={["Variable", "Placeholder or value"]}
        rows={VARIABLES.map(({ name, meaning }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, meaning],
        }))}
      />
      <p>Waypost refuses a request in these cases:</p>
      <ul>
        <li>
          WhatsApp accepts no value that is empty or blank, or that contains a line break, a tab or more than
          four spaces in a row. Such a value is refused with{" "}
          <Link href="/docs/errors#validation_failed">
            <code>validation_failed</code>
          </Link>
          . <code>error.field</code> names the variable, for example <code>template.variables.1</code>.
        </li>
        <li>
          A <code>name</code> or <code>language</code> that doesn’t match the given{" "}
          <code>template_submission_id</code> is also refused with <code>validation_failed</code>.
        </li>
        <li>
          Missing or additional variables are refused with{" "}
          <Link href="/docs/errors#template_variables_mismatch">
            <code>template_variables_mismatch</code>
          </Link>
          .
        </li>
        <li>
          A template in any state other than approved is refused with{" "}
          <Link href="/docs/errors#template_not_approved">
            <code>template_not_approved</code>
          </Link>
          .
        </li>
      </ul>
      <Note>
        <p>
          Waypost checks the window and the template twice: before it accepts the message, and again when it
          hands the message over. If the window has closed while a message was waiting, the message fails with
          the same code.
        </p>
      </Note>
    </Article>
  );
}
