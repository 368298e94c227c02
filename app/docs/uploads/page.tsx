import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading } from "../parts/article";
import { Answer, Command, Shell } from "../parts/code";

export const metadata: Metadata = { title: "Uploads" };

const UPLOAD = `printf 'Thank you for your order.\\n' > /tmp/thanks.txt
curl -sS "$WAYPOST_URL/api/public/v1/uploads" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: text/plain" \\
  -H "X-Filename: thanks.txt" \\
  --data-binary @/tmp/thanks.txt`;

const SEND = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "thanks-1",
  "type": "document",
  "to": { "kind": "whatsapp", "handle": "$NUMBER" },
  "media": { "storage_key": "$STORAGE_KEY", "filename": "thanks.txt" }
}
JSON`;

const STORED = {
  storage_key: "upl_3f0c8f5e0d7b4c1a9e2b6d5f4a3c2b1e",
  mime_type: "text/plain",
  size: 26,
  sha256: "217b8e2834ee5db4ca0e21ba569251da80c3e7552a2c02d034700a9fc5dfe8aa",
  expires_at: "2026-12-21T12:04:25.310Z",
};

export default function UploadsPage() {
  return (
    <Article
      path="/docs/uploads"
      lead="Hand in a file, get a key for it, and send that key as often as you like."
    >
      <Heading id="upload">Upload a file</Heading>
      <p>
        The request’s body is the file itself, as it is: no form, no base64. <code>X-Filename</code> is its
        name, percent-encoded where it isn’t ASCII; a name that can’t be decoded is used as it is. The
        customer sees it on a document without <code>media.filename</code>.
      </p>
      <Shell lines={UPLOAD} answers={[201]} />
      <Answer body={STORED} />
      <p>
        The type follows from the file’s bytes. A <code>Content-Type</code> that contradicts them is refused
        with{" "}
        <Link href="/docs/errors#invalid_media">
          <code>invalid_media</code>
        </Link>
        , which names both; a file larger than WhatsApp takes with{" "}
        <Link href="/docs/errors#payload_too_large">
          <code>payload_too_large</code>
        </Link>
        . The sizes are on <Link href="/docs/messages#media">Texts, media and templates</Link>.
      </p>

      <Heading id="send">Send it</Heading>
      <p>
        Put the answer’s <code>storage_key</code> into <code>STORAGE_KEY</code>:
      </p>
      <Shell lines="export STORAGE_KEY=…" />
      <Shell lines={SEND} answers={[201]} />

      <Heading id="kept">How long it is kept</Heading>
      <p>
        Until <code>expires_at</code>, 30 days after the upload; sending doesn’t prolong it. It is erased
        earlier when its customer is erased and the file was sent to nobody else: then upload it again. A key
        belongs to your organization: to any other it doesn’t exist.
      </p>

      <Heading id="limits">How much you can upload</Heading>
      <p>
        60 files a minute and key, in <Link href="/docs/limits#rates">the bucket</Link> <code>upload</code>:
        uploading doesn’t count against the rate of sending. All files of your organization together may take
        10 GiB, unless the operator set another quota; beyond it the answer is{" "}
        <Link href="/docs/errors#upload_quota_exceeded">
          <code>upload_quota_exceeded</code>
        </Link>
        , and nothing of the file is kept. A file counts until it is erased: a day after{" "}
        <code>expires_at</code>, or earlier with its customer.
      </p>

      <Heading id="cli">From the server</Heading>
      <p>
        An operator can do the same without an API key:{" "}
        <Command line="npm run waypost -- upload create --help" />.
      </p>
    </Article>
  );
}
