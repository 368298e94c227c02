import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { awaitingStatusSchema, channelsAwaitingStatus } from "./awaiting-status";
import { checkNumber, checkNumberInput } from "./check-number";
import { connectNumber, connectNumberInput } from "./connect-number";
import { disableChannel, enableChannel } from "./set-disabled";
import { getChannel } from "./get";
import { channelInput } from "./input";
import { channelPage, listChannels, listChannelsInput } from "./list";
import { listPausedChannels, listPausedInput } from "./list-paused";
import { makeDefaultChannel } from "./make-default";
import { renewVerifyToken } from "./renew-verify-token";
import { resumeChannel } from "./resume";
import { setChannel, setChannelInput } from "./set";
import { subscribeAppInput, subscribeNumbersApp } from "./subscribe-app";
import { surveyChannels, surveyChannelsInput } from "./survey";

const read = { capability: "channels.read", bucket: null, status: 200, statuses: [200] } as const;
const manage = { ...read, capability: "channels.manage" } as const;

export const channelsRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/channels",
      operationId: "listChannels",
      summary: "List the channels that the key may use",
      tags: ["Channels"],
    },
    capability: "channels.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["rate_limited"],
  })
    .input(listChannelsInput)
    .output(channelPage)
    .query(listChannels),

  awaitingStatus: procedure({ ...read, errors: [] })
    .input(awaitingStatusSchema)
    .query(channelsAwaitingStatus),

  paused: procedure({ ...read, errors: [] })
    .input(listPausedInput)
    .query(listPausedChannels),

  survey: procedure({ ...read, errors: [] })
    .input(surveyChannelsInput)
    .query(surveyChannels),

  get: procedure({ ...read, errors: ["channel_not_found"] })
    .input(channelInput)
    .query(getChannel),

  check: procedure({ ...manage, errors: [] })
    .input(checkNumberInput)
    .mutation(checkNumber),

  subscribeApp: procedure({ ...manage, errors: [] })
    .input(subscribeAppInput)
    .mutation(subscribeNumbersApp),

  connect: procedure({ ...manage, errors: [] })
    .input(connectNumberInput)
    .mutation(connectNumber),

  set: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(setChannelInput)
    .mutation(setChannel),

  renewVerifyToken: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(channelInput)
    .mutation(renewVerifyToken),

  makeDefault: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(channelInput)
    .mutation(makeDefaultChannel),

  disable: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(channelInput)
    .mutation(disableChannel),

  enable: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(channelInput)
    .mutation(enableChannel),

  resume: procedure({ ...manage, errors: ["channel_not_found"] })
    .input(channelInput)
    .mutation(resumeChannel),
});
