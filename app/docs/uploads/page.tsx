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
      lead="Upload a file, get a storage key for it, and send it as often as you like."
    >
      <Heading id="upload">Upload a file</Heading>
      <p>
        The request body is the raw file: not a form, and not base64. <code>X-Filename</code> is the name of
        the file. Percent-encode characters that aren’t ASCII. A name that can’t be decoded is used unchanged.
        The customer sees this name on a document without <code>media.filename</code>.
      </p>
      <Shell lines={UPLOAD} answers={[201]} />
      <Answer body={STORED} />
      <p>
        Waypost detects the media type from the file’s bytes. A <code>Content-Type</code> that contradicts
        them is refused with{" "}
        <Link href="/docs/errors#invalid_media">
          <code>invalid_media</code>
        </Link>
        . The error names both types. A file larger than WhatsApp accepts is refused with{" "}
        <Link href="/docs/errors#payload_too_large">
          <code>payload_too_large</code>
        </Link>
        . For the maximum sizes, see <Link href="/docs/messages#media">Texts, media and templates</Link>.
      </p>

      <Heading id="send">Send the file</Heading>
      <p>
        Set <code>STORAGE_KEY</code> to the <code>storage_key</code> of the response:
      </p>
      <Shell lines="export STORAGE_KEY=…" />
      <Shell lines={SEND} answers={[201]} />

      <Heading id="kept">How long files are kept</Heading>
      <p>
        A file is kept until <code>expires_at</code>, 30 days after the upload. Sending the file doesn’t
        extend this time. If you erase a customer and the file was sent to nobody else, the file is erased
        with the customer: upload it again if you need it. A storage key belongs to your organization. For
        other organizations it doesn’t exist.
      </p>

      <Heading id="limits">How much you can upload</Heading>
      <p>
        Each key can upload 60 files a minute. Uploads have their own{" "}
        <Link href="/docs/limits#rates">bucket</Link>, <code>upload</code>, and don’t count against the rate
        limit for sending. All files of your organization together can take 10 GiB, unless the operator has
        set another quota. Beyond the quota, an upload is refused with{" "}
        <Link href="/docs/errors#upload_quota_exceeded">
          <code>upload_quota_exceeded</code>
        </Link>
        , and nothing of the file is kept. A file counts against the quota until it is erased: one day after{" "}
        <code>expires_at</code>, or earlier together with its customer.
      </p>

      <Heading id="cli">Upload from the command line</Heading>
      <p>
        An operator can upload files without an API key. See{" "}
        <Command line="npm run waypost -- upload create --help" />.
      </p>
    </Article>
  );
}
