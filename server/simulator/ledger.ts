import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Journal } from "./journal";
import { readLines } from "./files";
import { parseRecord, type CallRecord, type JournalRecord } from "./records";

/**
 * `GET /ledger`: `{ messages, calls, marks }`, in the order of the calls. Streams the current file, so that neither its length
 * nor a slow reader needs memory. `phoneNumberId` restricts it to one number.
 */
export async function sendLedger(
  journal: Journal,
  phoneNumberId: string | null,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  const source = { path: journal.path, bytes: journal.size, phoneNumberId };
  await pipeline(Readable.from(ledgerText(source), { objectMode: false }), response);
}

interface LedgerSource {
  readonly path: string;
  readonly bytes: number;
  readonly phoneNumberId: string | null;
}

async function* ledgerText(source: LedgerSource): AsyncGenerator<string> {
  yield '{"messages":[';
  yield* listText(source, messageEntry);
  yield '],"calls":[';
  yield* listText(source, callEntry);
  yield '],"marks":[';
  yield* listText(source, markEntry);
  yield "]}\n";
}

async function* listText(
  { path, bytes, phoneNumberId }: LedgerSource,
  entryOf: (record: JournalRecord) => object | null,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { lines } of readLines(path, { start: 0, end: bytes })) {
    const entries: string[] = [];
    for (const line of lines) {
      const record = parseRecord(line);
      if (record === null || !("phone_number_id" in record)) continue;
      if (phoneNumberId !== null && record.phone_number_id !== phoneNumberId) continue;
      const entry = entryOf(record);
      if (entry !== null) entries.push(JSON.stringify(entry));
    }
    if (entries.length === 0) continue;
    yield (isFirst ? "" : ",") + entries.join(",");
    isFirst = false;
  }
}

function messageEntry(record: JournalRecord): object | null {
  if (record.kind !== "call" || record.accepted === null) return null;
  const { accepted, ...call } = record;
  return {
    wamid: call.wamid,
    phone_number_id: call.phone_number_id,
    to: call.to,
    type: accepted.type,
    biz_opaque_callback_data: call.biz_opaque_callback_data,
    body: accepted.body,
    ...(accepted.quotes === undefined ? {} : { context: { message_id: accepted.quotes } }),
    at: call.at,
  };
}

function callEntry(record: JournalRecord): object | null {
  return record.kind === "call" ? callFields(record) : null;
}

function callFields(call: CallRecord): object {
  return {
    at: call.at,
    biz_opaque_callback_data: call.biz_opaque_callback_data,
    phone_number_id: call.phone_number_id,
    to: call.to,
    status: call.status,
    code: call.code,
    wamid: call.wamid,
  };
}

function markEntry(record: JournalRecord): object | null {
  if (record.kind !== "mark") return null;
  const { kind: _, ...mark } = record;
  return mark;
}
