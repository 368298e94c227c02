import { callerOf } from "@/server/domain/channels/caller";
import { explainPause, operatorRemedy, pauseCode } from "@/server/domain/channels/explain-pause";
import { channelsInUse, type ExaminedChannel } from "@/server/domain/channels/across-organizations";
import { fail, type Finding, ok, warn } from "./finding";
import type { Installation, UsableInstallation } from "./installation";

const AT_ONCE = 8;
/** After this time, no further channel is checked. */
const ASKING_MS = 20_000;

type Upstream = Pick<Installation, "config" | "vault" | "simulatorUrl" | "whatsapp">;

/** Reads each channel's number with its token, and reports which channels are paused and why. */
export async function checkUpstream(
  installation: UsableInstallation,
  askingMs: number = ASKING_MS,
): Promise<readonly Finding[]> {
  const channels = await channelsInUse(installation.database.sql);
  if (channels.length === 0) {
    return [warn("channels", "none is connected", "Connect a number with `channel connect`.")];
  }
  const endsAt = performance.now() + askingMs;
  const findings: Finding[] = [];
  const waiting = channels.entries();
  const askOneByOne = async () => {
    for (const [index, channel] of waiting) {
      findings[index] =
        performance.now() < endsAt
          ? await examine(installation, channel)
          : notAsked(channel, "there was no time left");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOneByOne));
  return findings;
}

const whatOf = ({ id, name }: ExaminedChannel) => `channel ${id} (${name})`;

async function examine(upstream: Upstream, channel: ExaminedChannel): Promise<Finding> {
  const { config, simulatorUrl, vault, whatsapp } = upstream;
  const what = whatOf(channel);
  if (vault === null) return notAsked(channel, "its token can't be decrypted without the secret");
  if (channel.upstream === "simulator" && simulatorUrl === null) return withoutSimulator(channel);
  const baseUrl = () => (channel.upstream === "meta" ? config.graphUrl : simulatorUrl);
  const caller = callerOf({ vault, urls: { upstream: baseUrl } }, channel);
  if ("kind" in caller) {
    return fail(what, caller.detail.reason, "Connect it with the secret that the database was created with.");
  }
  const answer = await whatsapp.readNumber(caller);
  if (answer.kind === "unreadable") {
    const { upstreamCode, reason } = answer.detail;
    const seen = `its number can't be read: ${upstreamCode === null ? reason : `(#${upstreamCode}) ${reason}`}`;
    const remedy =
      upstreamCode === null ? "Check that this machine can reach the upstream." : tokenRemedy(channel);
    return fail(what, pausedToo(channel, seen), remedy);
  }
  const number = [answer.displayPhoneNumber, answer.qualityRating && `quality ${answer.qualityRating}`];
  const seen = `its number can be read: ${number.filter(Boolean).join(", ") || "no details"}`;
  if (channel.pausedAt === null) return ok(what, seen);
  return fail(what, pausedToo(channel, seen), pauseRemedy(channel));
}

function notAsked(channel: ExaminedChannel, why: string): Finding {
  return warn(whatOf(channel), pausedToo(channel, `not asked: ${why}`), "Run `doctor` again.");
}

function withoutSimulator(channel: ExaminedChannel): Finding {
  return warn(
    whatOf(channel),
    pausedToo(channel, "no simulator is running"),
    "The simulator runs with the server.",
  );
}

function pausedToo({ pausedAt, pauseReason, pauseDetail }: ExaminedChannel, seen: string): string {
  if (pausedAt === null || pauseReason === null) return seen;
  const { message } = explainPause(pauseReason, pauseCode(pauseDetail));
  const why = message === null ? "" : ` ${message}`;
  return `paused since ${pausedAt.toISOString()} (${pauseReason}).${why} Now ${seen}`;
}

function pauseRemedy({ id, pauseReason, pauseDetail }: ExaminedChannel): string {
  const remedy = operatorRemedy(pauseReason, pauseCode(pauseDetail), id) ?? "";
  return `${remedy} Waypost resumes the channel automatically when the problem is fixed. \`channel resume ${id}\` ends the pause immediately.`.trim();
}

function tokenRemedy(channel: ExaminedChannel): string {
  if (channel.pausedAt !== null) return pauseRemedy(channel);
  return operatorRemedy("credentials_invalid", null, channel.id) ?? "";
}
