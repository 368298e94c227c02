import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const UNIT = `[Unit]
Description=Waypost
Wants=network-online.target
After=network-online.target

[Service]
User=waypost
WorkingDirectory=/srv/waypost
EnvironmentFile=/etc/waypost.env
ExecStart=/usr/bin/node server/start.mjs server
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=multi-user.target`;

const DOCKERFILE = `FROM node:22
WORKDIR /waypost
COPY . .
RUN npm ci && npm run build
CMD ["node", "server/start.mjs", "server"]`;

/** The command for a process supervisor. */
export function Supervision() {
  return (
    <>
      <Heading id="supervision">Run with systemd or in a container</Heading>
      <p>
        <code>npm start</code> runs <code>node server/start.mjs server</code>. You can use this command
        directly, without npm. npm also forwards signals to Waypost and returns its exit code.
      </p>
      <Shell lines={UNIT} />
      <p>
        The user in the unit must own the checkout. Run <code>npm ci && npm run build</code> in the checkout
        as this user, so that nothing has to be built at the start. With the embedded PostgreSQL,{" "}
        <code>KillMode=mixed</code> is important: systemd then sends SIGTERM only to Waypost, and Waypost
        stops PostgreSQL when nothing needs it any more.
      </p>
      <p>
        Of the files that a process can have open (<code>LimitNOFILE</code>, <code>ulimit -n</code>), Waypost
        reserves 300 for its own work, or half if there are fewer than 600. With fewer than 512, neither the
        server nor any command starts. Client connections beyond the remaining files are closed immediately,
        and the log reports this. Clients can retry, and everything that was accepted is still sent.
      </p>
      <Shell lines={DOCKERFILE} />
      <p>
        Mount a volume at <code>/waypost/data</code>, and give the container one minute to stop:{" "}
        <code>docker stop -t 60</code>, <code>stop_grace_period: 60s</code> or{" "}
        <code>terminationGracePeriodSeconds: 60</code>. Docker’s default of ten seconds is too short for
        running calls.
      </p>
    </>
  );
}
