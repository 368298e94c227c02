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

/** The command for what starts and ends processes by itself. */
export function Supervision() {
  return (
    <>
      <Heading id="supervision">Under systemd, or in a container</Heading>
      <p>
        <code>node server/start.mjs server</code> is what <code>npm start</code> runs, without npm between.
        Signals reach Waypost through npm too, and its exit code comes back.
      </p>
      <Shell lines={UNIT} />
      <p>
        The checkout belongs to the user; run <code>npm ci && npm run build</code> in it as that user, so that
        a start has nothing to build. <code>KillMode=mixed</code> matters with the embedded PostgreSQL: it has
        systemd send SIGTERM to Waypost alone, which ends PostgreSQL when nothing needs it any more.
      </p>
      <p>
        Of the files that a process may have open (<code>LimitNOFILE</code>, <code>ulimit -n</code>) it keeps
        300 for its own work, or half where there are fewer than 600; with fewer than 512 the server doesn’t
        start, and no command does. Clients’ connections beyond the rest are closed as they come, and the log
        says so: clients repeat, and what was accepted is sent all the same.
      </p>
      <Shell lines={DOCKERFILE} />
      <p>
        Mount a volume at <code>/waypost/data</code>, and give the container a minute to stop:{" "}
        <code>docker stop -t 60</code>, <code>stop_grace_period: 60s</code> or{" "}
        <code>terminationGracePeriodSeconds: 60</code>. Docker’s own ten seconds are too short for calls under
        way.
      </p>
    </>
  );
}
