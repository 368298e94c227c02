import { Command, Shell } from "../parts/code";

const OWNER = `psql -h db.internal -U postgres \\
  -c "CREATE ROLE waypost LOGIN PASSWORD 'PASSWORD'" \\
  -c "CREATE DATABASE waypost OWNER waypost"`;

const SECRET = `test -e waypost-secret || (umask 077 && openssl rand -base64 48 > waypost-secret)
export WAYPOST_SECRET=$(cat waypost-secret)`;

const OWN_DATABASE = `export DATABASE_URL=postgres://waypost:PASSWORD@db.internal/waypost
export WAYPOST_PUBLIC_URL=https://waypost.example.com
npm start`;

/** How several processes come to share one database, and the secret that goes with it. */
export function OwnDatabase() {
  return (
    <>
      <p>
        A further process on the same machine works for the one that owns the data directory:{" "}
        <Command line="WAYPOST_ATTACH=data PORT=3010 npm start" />. For more machines, give all of them one
        PostgreSQL (14 or newer) and one secret. At its start Waypost makes its tables, in the schemas{" "}
        <code>public</code> and <code>drizzle</code>; the simplest is a role that owns its database:
      </p>
      <Shell lines={OWNER} />
      <p>
        Elsewhere it needs <code>GRANT CREATE ON DATABASE</code> and{" "}
        <code>GRANT CREATE ON SCHEMA public</code>, and nothing more. The secret is made once, into a file:
      </p>
      <Shell lines={SECRET} />
      <p>
        Take that file to every machine, and a copy of it to where your backups are: no other secret ever
        reads what was encrypted under it, and a process that is given another one refuses to start. A
        PostgreSQL that is starting up or recovers is waited for.
      </p>
      <Shell lines={OWN_DATABASE} inCheckout />
      <p>
        As long as nobody can sign in, each start prints a link by which the first owner makes the
        organization and an account. It works once. Behind a proxy, give Waypost the address that people use (
        <code>WAYPOST_PUBLIC_URL</code>): links are made of it, and pages of other addresses may change
        nothing.
      </p>
    </>
  );
}
