import { procedure } from "../api/procedure";
import { t } from "../api/trpc";
import { channelPage, listChannels, listChannelsInput } from "./list";

export const channelsRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/channels",
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
});
