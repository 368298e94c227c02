import { headers } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import { NoOrganization } from "./no-organization";
import { currentAccount } from "./signed-in";
import styles from "./page.module.css";

const API = "/api/public/v1";

export default async function StartPage() {
  const { pageCaller } = await getRuntime();
  const caller = await pageCaller(await headers(), null);
  const me = await currentAccount(caller);
  const [organization] = me?.organizations ?? [];
  if (organization) redirect(`/o/${organization.id}/messages`);
  if (me !== null) return <NoOrganization email={me.email} />;
  return (
    <main className={styles.page}>
      <header className={styles.intro}>
        <p className={styles.name}>Waypost</p>
        <h1 className={styles.title}>Send WhatsApp messages to your customers with one HTTP request.</h1>
        <p className={styles.lead}>
          This server is running. Send messages with an API key and your own message ID. If you repeat a
          request, Waypost answers it but doesn’t send the message twice.
        </p>
      </header>

      <p className={styles.signIn}>
        <Link href="/sign-in">Sign in</Link> to manage keys and to see the delivery status of every message.
      </p>

      <section aria-labelledby="api">
        <h2 id="api" className={styles.heading}>
          The public API
        </h2>
        <dl className={styles.routes}>
          <dt>
            <code>POST {API}/messages</code>
          </dt>
          <dd>Sends a message to a WhatsApp number or to a conversation.</dd>
          <dt>
            <code>GET {API}/messages/&#123;id&#125;</code>
          </dt>
          <dd>Returns the delivery status: queued, sent, delivered, read or failed.</dd>
          <dt>
            <code>GET {API}/ping</code>
          </dt>
          <dd>Checks an API key and returns what it may do.</dd>
        </dl>
        <p className={styles.more}>
          You find all endpoints, fields and error codes in <Link href="/docs">the documentation</Link>. Start
          with <Link href="/docs/first-message">your first message</Link>. For tools, there is{" "}
          <a href={`${API}/openapi.json`}>openapi.json</a> (OpenAPI 3.1).
        </p>
      </section>

      <footer className={styles.footer}>
        You can also create keys in the checkout on the server with{" "}
        <code>npm run waypost -- key create --help</code>
      </footer>
    </main>
  );
}
