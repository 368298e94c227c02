import { Command, Shell } from "../parts/code";

const OWNER = `psql -h db.internal -U postgres \\
  -c "CREATE ROLE waypost LOGIN PASSWORD 'PASSWORD'" \\
  -c "CREATE DATABASE waypost OWNER waypost"`;

const SECRET = `test -e waypost-secret || (umask 077 && openssl rand -base64 48 > waypost-secret)
export WAYPOST_SECRET=$(cat waypost-secret)`;

const OWN_DATABASE = `export DATABASE_URL=postgres://waypost:PASSWORD@db.internal/waypost
export WAYPOST_PUBLIC_URL=https://waypost.example.com
npm start`;

/** How several processes share one database and its secret. */
export function OwnDatabase() {
  return (
    <>
      <p>
        To start an additional process on the same machine, attach it to the process that owns the data
        directory: <Command line="WAYPOST_ATTACH=data PORT=3010 npm start" />. To use several machines, give
        all of them the same PostgreSQL (14 or newer) and the same secret. At its start, Waypost creates its
        tables in the schemas <code>public</code> and <code>drizzle</code>. The simplest setup is a role that
        owns its database:
      </p>
      <Shell lines={OWNER} />
      <p>
        Otherwise the role needs only <code>GRANT CREATE ON DATABASE</code> and{" "}
        <code>GRANT CREATE ON SCHEMA public</code>. Generate the secret once, into a file:
      </p>
      <Shell lines={SECRET} />
      <p>
        Copy this file to every machine and to your backups. Data that was encrypted with this secret can’t be
        decrypted with any other secret, and a process with a different secret refuses to start. If PostgreSQL
        is starting up or recovering, Waypost waits for it.
      </p>
      <Shell lines={OWN_DATABASE} inCheckout />
      <p>
        As long as nobody can sign in, each start prints a link with which the first owner creates the
        organization and an account. The link works once. Behind a proxy, set <code>WAYPOST_PUBLIC_URL</code>{" "}
        to the address that people use. Links contain this address, and pages at other addresses can’t make
        changes.
      </p>
    </>
  );
}
