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
      summary: "Upload a file to send",
      description:
        "The body is the file itself, as it is. The answer's `storage_key` sends it, any number of times, until " +
        "`expires_at`. The type follows from the bytes; a `Content-Type` that contradicts them is refused. A request takes " +
        "a unit of the bucket `upload` once its file may come in, also where the file is then refused. One that is refused " +
        "before that takes none: for its key, scope, query or encoding, as a form, or for a declared length over that of " +
        "any file.",
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
      if (!file) throw new WaypostError("validation_failed", { message: "The request carries no file." });
      return createUpload({ ctx, input: { file } });
    }),
});
