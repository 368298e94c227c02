import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { createUpload } from "@/server/domain/uploads/create";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import { CommandError, parseId, type AddCommands } from "./command";
import { requireOrganization } from "./organization";

interface CreateOptions {
  readonly org: string;
  readonly type?: string;
  readonly filename?: string;
  readonly json?: boolean;
}

export const addUploadCommands: AddCommands = (program, run) => {
  program
    .command("upload")
    .description("files to send")
    .command("create")
    .description("upload a file to send with messages")
    .argument("<file>", "path of the file")
    .requiredOption("--org <id>", "organization that sends the file", parseId)
    .option("--type <mime>", "type of the file; detected from the bytes if not given")
    .option("--filename <name>", "file name to show; the name of the file if not given")
    .option("--json", "print JSON only")
    .action((file: string, options: CreateOptions) =>
      run(async ({ services }) => {
        const ctx = await requireOrganization(services, options.org, "cli upload create");
        const upload = await createUpload({ ctx, input: { file: await fileAt(file, options) } });
        const { storage_key, mime_type, size, expires_at } = upload;
        const text = `${storage_key} (${mime_type}, ${size} bytes) can be sent until ${expires_at}.`;
        return { json: upload, text };
      }, options),
    );
};

/** @throws CommandError if there is no such file. */
async function fileAt(file: string, { type, filename }: CreateOptions): Promise<IncomingFile> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new CommandError("file_unreadable", `${file} isn't a readable file.`);
  return {
    chunks: () => createReadStream(file),
    contentType: type,
    filename: filename ?? path.basename(file),
    declaredBytes: found.size,
  };
}
