import { z } from "zod";
import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { WaypostError } from "@/server/platform/errors";
import { createUpload, uploadOutput } from "./create";

export const uploadsRouter = t.router({
  create: procedure({
    openapi: {
      method: "POST",
      path: "/uploads",
      operationId: "createUpload",
      summary: "Upload a file to send",
      description:
        "The request body is the raw file. Use the `storage_key` of the response to send the file, as often as you " +
        "like, until `expires_at`. Waypost detects the media type from the file's bytes and refuses a " +
        "`Content-Type` that contradicts them. A request uses one unit of the `upload` bucket when Waypost starts " +
        "to read the file, even if it then refuses the file. A request that is refused earlier uses none: because " +
        "of its key, scope, query or encoding, because it is a form, or because its declared length is larger than " +
        "any file may be.",
      tags: ["Uploads"],
      takesFile: true,
    },
    capability: "messages.send",
    bucket: "upload",
    status: 201,
    statuses: [201],
    errors: ["invalid_media", "upload_quota_exceeded", "rate_limited"],
  })
    .input(z.strictObject({}))
    .output(uploadOutput)
    .mutation(({ ctx }) => {
      const { file } = ctx;
      if (!file)
        throw new WaypostError("validation_failed", { message: "The request doesn't contain a file." });
      return createUpload({ ctx, input: { file } });
    }),
});
