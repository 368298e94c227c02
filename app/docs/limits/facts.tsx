import type { ReactNode } from "react";
import type { Documentation } from "@/server/boot/documentation";
import { Table } from "../parts/article";
import { documentation } from "../parts/documentation";

/** The rate limits of a new key. */
export async function Buckets() {
  const { buckets } = await documentation();
  return (
    <Table
      head={["Bucket", "Per minute", "Applies to"]}
      rows={buckets.map(({ name, limit, covers }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, limit, covers],
      }))}
    />
  );
}

const uploadTime = (of: (times: Documentation["uploadTimes"]) => ReactNode) => async () =>
  of((await documentation()).uploadTimes);

export const FileMinutesMax = uploadTime(({ timeoutMs }) => timeoutMs / 60_000);
export const FileKibibytesPerSecondMin = uploadTime(({ bytesPerSecondMin }) => bytesPerSecondMin / 1024);
export const FileGraceSeconds = uploadTime(({ graceMs }) => graceMs / 1000);
export const FilePauseSecondsMax = uploadTime(({ stallMs }) => stallMs / 1000);
