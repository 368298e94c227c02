import { z } from "zod";
import type { Context } from "@/server/core/context";
import { fetchFromSimulator, type SimulatorCall } from "@/server/adapters/simulator/call";
import { USER_ID_PATTERN } from "@/server/adapters/whatsapp/person";
import { noSuchChannel, requireChannelId } from "@/server/domain/channels/input";
import { handleSpelled } from "@/server/domain/contacts/number-search";
import { WaypostError } from "@/server/platform/errors";

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 8_000_000;

/** Names a phone: a simulated channel, and the customer whose phone it is. */
export const phoneInput = {
  channelId: z.string().max(200),
  /** A number in any spelling with its country code, or WhatsApp's id of a person. */
  customer: z.string().max(140),
};

/** A phone whose channel belongs to the actor's organization. */
export interface Phone {
  readonly phoneNumberId: string;
  /** As WhatsApp writes it. */
  readonly customer: string;
}

/**
 * Finds the channel of a phone.
 * @throws WaypostError `channel_not_found`, the same for an unknown or malformed id and another organization's;
 * `phone_not_available` if the channel isn't simulated; `validation_failed` if the customer is no number and no id.
 */
export async function findPhone(
  { services, actor }: Context,
  { channelId, customer }: { channelId: string; customer: string },
): Promise<Phone> {
  requireChannelId(channelId);
  const [channel] = await services.sql<{ phoneNumberId: string; upstream: string }[]>`
    select phone_number_id as "phoneNumberId", upstream from channels
    where id = ${channelId} and organization_id = ${actor.organizationId}`;
  if (!channel) throw noSuchChannel();
  if (channel.upstream !== "simulator") throw new WaypostError("phone_not_available");
  const known = USER_ID_PATTERN.test(customer) ? customer : handleSpelled(customer);
  if (known === null) {
    throw new WaypostError("validation_failed", {
      field: "customer",
      message: "`customer` must be a number with its country code, such as +49 151 12345678.",
    });
  }
  return { phoneNumberId: channel.phoneNumberId, customer: known };
}

type Ask = Pick<SimulatorCall, "method" | "body"> & { readonly path: string };

export interface SimulatorReply {
  readonly bytes: Buffer;
  readonly contentType: string | null;
}

/**
 * Asks the simulator that serves the channels of this installation. Waits for 5 seconds at most.
 * @returns null if it answers 404, or with more than `bytesMax`.
 * @throws WaypostError `validation_failed` with the simulator's reason; `unavailable` if no simulator is known, or if
 * it doesn't answer as it should.
 */
export async function askSimulator(
  { services: { urls, log } }: Context,
  { path, ...call }: Ask,
  { bytesMax = ANSWER_BYTES_MAX, timeoutMs = TIMEOUT_MS } = {},
): Promise<SimulatorReply | null> {
  const url = urls.upstream("simulator");
  if (url === null) throw noSimulator();
  const answer = await fetchFromSimulator(
    url + path,
    { ...call, signal: AbortSignal.timeout(timeoutMs) },
    bytesMax,
  ).catch((error: unknown) => {
    log.warn({ err: error }, "the simulator doesn't answer about a customer's phone");
    throw noSimulator();
  });
  const { status, bytes, contentType } = answer;
  if (status === 400) throw refusalOf(bytes);
  if (status === 404 || bytes.length > bytesMax) return null;
  if (status !== 200) throw noSimulator();
  return { bytes, contentType };
}

/** Reads an answer of the simulator. @throws WaypostError `unavailable` if it isn't as the schema says. */
export function parseReply<S extends z.ZodType>(schema: S, reply: SimulatorReply | null): z.output<S> {
  const { data, success } = schema.safeParse(jsonOf(reply?.bytes));
  if (!success) throw noSimulator();
  return data;
}

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

function refusalOf(bytes: Buffer): WaypostError {
  const { data } = refusalSchema.safeParse(jsonOf(bytes));
  if (data === undefined) return noSimulator();
  return new WaypostError("validation_failed", {
    message: `The simulator refused this: ${data.error.message}.`,
  });
}

function jsonOf(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString("utf8") ?? "");
  } catch {
    return null;
  }
}

function noSimulator(): WaypostError {
  return new WaypostError("unavailable", { message: "The WhatsApp simulator doesn't respond." });
}
