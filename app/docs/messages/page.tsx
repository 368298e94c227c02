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
  { name: "1", meaning: "The placeholder {{1}} of the text; a named one has its name" },
  { name: "header.1", meaning: "The placeholder of the header" },
  { name: "header.url", meaning: "The https address of the header’s image, video or document" },
  { name: "button.0.1", meaning: "The placeholder in the address of the first button" },
  { name: "button.0.code", meaning: "The code that the first button copies" },
] as const;

export default async function MessagesPage() {
  const { mediaTypes } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/messages"
      lead={
        <>
          Every message goes to <code>POST /messages</code>. Its <code>type</code> decides what else the body
          has, and when WhatsApp takes it.
        </>
      }
    >
      <Heading id="window">The customer window</Heading>
      <p>
        WhatsApp takes texts and media only within 24 hours of the customer’s last message to that number.
        Later than that, the answer is{" "}
        <Link href="/docs/errors#outside_customer_window">
          <code>outside_customer_window</code>
        </Link>
        , at once. A template may be sent at any time, and doesn’t open the window: only the customer does. No
        route says whether a window is open: keep the <code>written_at</code> of the customer’s last{" "}
        <code>message.received</code>, or send the text and use a template if it is refused.
      </p>

      <Heading id="to">Whom it goes to</Heading>
      <p>
        Give exactly one of <code>to</code> and <code>thread_id</code>. <code>to</code> is a number in E.164
        form without the plus sign; contact and conversation are found, or made. <code>thread_id</code> is a
        conversation that an earlier answer named. A message that you send doesn’t reopen a closed
        conversation, and doesn’t change who it is assigned to.
      </p>
      <p>
        <code>channel_id</code> says which of your numbers the message comes from. Give it if you have
        several. Without it, the number is the first of these:
      </p>
      <ol>
        <li>
          with <code>thread_id</code>: the number of the conversation;
        </li>
        <li>
          with <code>template_submission_id</code>: the number of the template;
        </li>
        <li>the number that the customer last wrote to;</li>
        <li>the default number.</li>
      </ol>
      <p>These are your numbers:</p>
      <Shell lines={CHANNELS} answers={[200]} />

      <Heading id="text">Text</Heading>
      <p>
        <code>text.body</code>, 1 to 4096 characters, not blank. See{" "}
        <Link href="/docs/first-message#send">your first message</Link>.
      </p>

      <Heading id="media">Image, audio, video, document</Heading>
      <p>
        <code>media</code> says which file: the <code>storage_key</code> of{" "}
        <Link href="/docs/uploads">an upload</Link>, or a public <code>url</code> from which WhatsApp fetches
        it when the message is sent. Prefer uploads: what is wrong with a file is then told before the message
        is accepted. <code>text.body</code> is the caption, at most 1024 characters; an audio has none.{" "}
        <code>media.filename</code> is the name under which the customer sees a document; without it, the{" "}
        <code>X-Filename</code> of the upload is. Other types may have it too, but WhatsApp shows no name for
        them. An upload has its own type, whatever <code>media.mime_type</code> says.
      </p>
      <Shell lines={IMAGE} answers={[201]} />
      <p>
        An address must be https, without credentials, on a public host; any other is refused with{" "}
        <Link href="/docs/errors#media_url_forbidden">
          <code>media_url_forbidden</code>
        </Link>
        . One whose path ends in the extension of a file that WhatsApp doesn’t take for the type, such as{" "}
        <code>photo.webp</code> for an image, is refused with{" "}
        <Link href="/docs/errors#invalid_media">
          <code>invalid_media</code>
        </Link>
        , unless <code>media.mime_type</code> says that the file is of another type. Types and sizes that
        WhatsApp takes:
      </p>
      <Table
        isStacked
        head={["Type", "Largest file", "Media types"]}
        rows={mediaTypes.map(({ type, sizeBytesMax, mimeTypes }) => ({
          key: type,
          cells: [<code key="type">{type}</code>, `${sizeBytesMax / 1024 / 1024} MiB`, mimeTypes.join(", ")],
        }))}
      />

      <Heading id="template">Template</Heading>
      <p>
        A template is a text with placeholders that WhatsApp has approved. Create it in Meta’s WhatsApp
        Manager; Waypost doesn’t create templates. It lists a new one within ten minutes, or at once after{" "}
        <em>Update from WhatsApp</em> on the page Templates of the admin app. List the templates of your
        numbers, with the <code>variables</code> that each one needs:
      </p>
      <Shell lines={TEMPLATES} answers={[200]} />
      <p>
        Name it by its <code>template_submission_id</code>, or by <code>name</code> and <code>language</code>,
        such as <code>en</code>, <code>fil</code> or <code>en_US</code>, and give exactly its variables. With
        the demo organization that <Link href="/docs/first-message">Your first message</Link> made, and its{" "}
        <code>from_demo</code>:
      </p>
      <Shell lines={FROM_DEMO} answers={[]} inCheckout />
      <Shell lines={TEMPLATE} answers={[201]} />
      <Table
        head={["Variable", "What it fills"]}
        rows={VARIABLES.map(({ name, meaning }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, meaning],
        }))}
      />
      <p>
        WhatsApp takes no value that is empty or blank, or that contains a line break, a tab or more than four
        spaces in a row: such a value is refused with{" "}
        <Link href="/docs/errors#validation_failed">
          <code>validation_failed</code>
        </Link>{" "}
        and the field <code>template.variables.1</code>, by its name; so is a <code>name</code> or{" "}
        <code>language</code> that isn’t the one of the given <code>template_submission_id</code>. Missing or
        surplus variables are refused with{" "}
        <Link href="/docs/errors#template_variables_mismatch">
          <code>template_variables_mismatch</code>
        </Link>
        ; a template in any other state than approved with{" "}
        <Link href="/docs/errors#template_not_approved">
          <code>template_not_approved</code>
        </Link>
        .
      </p>
      <Note>
        <p>
          Window and template are checked twice: before the message is accepted, and again when it is handed
          over. A message that had to wait past the window fails then, with the same code.
        </p>
      </Note>
    </Article>
  );
}
