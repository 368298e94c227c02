import { type Command, InvalidArgumentError } from "commander";
import { RETENTION_DAYS_MIN, UPLOAD_QUOTA_BYTES_DEFAULT } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { findOrganization, listOrganizations } from "@/server/domain/organizations/claim";
import { createOrganization } from "@/server/domain/organizations/create";
import { RETENTION_DAYS_MAX, setRetention } from "@/server/domain/organizations/set-retention";
import { setUploadQuota, UPLOAD_QUOTA_BYTES_MAX } from "@/server/domain/organizations/set-upload-quota";
import { CommandError, parseId, table, wholeNumber, type AddCommands, type Run } from "./command";

export const addOrganizationCommands: AddCommands = (program, run) => {
  const org = program.command("org").description("organizations");
  org
    .command("list")
    .description("list organizations")
    .option("--json", "print JSON only")
    .action((options: { json?: boolean }) =>
      run(async ({ services }) => {
        const found = await listOrganizations(services.orm);
        return {
          json: found.map(({ id, name, retentionDays, uploadQuotaBytes, uploadedBytes }) => ({
            id,
            name,
            retention_days: retentionDays,
            upload_quota: uploadQuotaBytes,
            uploaded_bytes: uploadedBytes,
          })),
          text: table(
            ["ID", "NAME", "KEEPS", "UPLOADS"],
            found.map(({ id, name, retentionDays, uploadQuotaBytes, uploadedBytes }) => [
              id,
              name,
              `${retentionDays} days`,
              `${sizeWords(uploadedBytes)} of ${sizeWords(uploadQuotaBytes)}`,
            ]),
          ),
        };
      }, options),
    );
  org
    .command("create")
    .description("create an organization")
    .requiredOption("--name <name>", "1 to 100 characters")
    .option("--json", "print JSON only")
    .action((options: { name: string; json?: boolean }) =>
      run(async ({ services }) => {
        const input = { name: options.name };
        const { id, name } = await createOrganization({ services, job: "cli org create", input });
        return { json: { id, name }, text: `Organization ${id} (${name}) was created.` };
      }, options),
    );
  addSetCommand(org, run);
};

function addSetCommand(org: Command, run: Run): void {
  org
    .command("set")
    .description("set how long an organization keeps messages and how much space its uploads may use")
    .argument("<id>", "id of the organization", parseId)
    .option(
      "--retention-days <n>",
      `days to keep message content and recipient numbers, at least ${RETENTION_DAYS_MIN}`,
      wholeNumber(RETENTION_DAYS_MIN, RETENTION_DAYS_MAX),
    )
    .option(
      "--upload-quota <size>",
      `bytes, or a size such as 500MiB or 20GiB; ${sizeWords(UPLOAD_QUOTA_BYTES_DEFAULT)} if never set`,
      parseSize,
    )
    .option("--json", "print JSON only")
    .action((id: string, options: SetOptions, command: Command) => {
      const { retentionDays, uploadQuota } = options;
      if (retentionDays === undefined && uploadQuota === undefined)
        command.error(
          "error: nothing to change. Expected '--retention-days <n>' or '--upload-quota <size>'.",
        );
      return run(async ({ services }) => {
        const ctx = await requireOrganization(services, id, "cli org set");
        if (retentionDays !== undefined) await setRetention({ ctx, input: { days: retentionDays } });
        if (uploadQuota !== undefined) await setUploadQuota({ ctx, input: { bytes: uploadQuota } });
        return {
          json: { id, retention_days: retentionDays, upload_quota: uploadQuota },
          text: wordsOf(id, options).join("\n"),
        };
      }, options);
    });
}

interface SetOptions {
  readonly retentionDays?: number;
  /** In bytes. */
  readonly uploadQuota?: number;
  readonly json?: boolean;
}

function wordsOf(id: string, { retentionDays, uploadQuota }: SetOptions): readonly string[] {
  const days = `Organization ${id} keeps message content and numbers for ${retentionDays} days. Older content is erased within the hour.`;
  const quota = `Uploads of organization ${id} may use ${sizeWords(uploadQuota ?? 0)}.`;
  return [...(retentionDays === undefined ? [] : [days]), ...(uploadQuota === undefined ? [] : [quota])];
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** @returns bytes. */
function parseSize(text: string): number {
  const [, count = "", unit = "bytes"] = /^([0-9]{1,16})(KiB|MiB|GiB|TiB)?$/.exec(text) ?? [];
  const bytes = count === "" ? Number.NaN : Number(count) * 1024 ** UNITS.findIndex((one) => one === unit);
  if (bytes <= UPLOAD_QUOTA_BYTES_MAX) return bytes;
  throw new InvalidArgumentError("Expected bytes, or a size such as 500MiB or 20GiB.");
}

function sizeWords(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power] ?? ""}`;
}

/**
 * Returns the context of a command that works for the organization.
 * @throws CommandError if there is no such organization.
 */
export async function requireOrganization(
  services: Services,
  organizationId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const found = await findOrganization(services.orm, organizationId);
  if (!found)
    throw new CommandError(
      "not_found",
      `There is no organization ${organizationId}. \`org list\` shows them.`,
    );
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
