import { simulatedVerifyToken } from "@/server/domain/channels/connect";
import { accessTokenPurpose, appSecretPurpose } from "@/server/platform/secrets/vault";
import type { Services } from "@/server/core/context";
import { callSimulator, type SimulatorAnswer } from "@/server/adapters/simulator/call";
import { simulatedChannels, type SimulatedChannel } from "./claim";

const NUMBERS_MAX = 500;
const TIMEOUT_MS = 5_000;
const ANSWER_SHOWN_MAX = 200;

/** The simulator didn't accept the numbers. The message gives the reason, and contains none of their secrets. */
export class SimulatorRefused extends Error {
  override readonly name = "SimulatorRefused";
}

export interface RegisterOptions {
  readonly services: Services;
  /** Without a trailing slash. */
  readonly simulatorUrl: string;
  /** Address at which the simulator reaches this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Null: the numbers of all organizations. */
  readonly organizationId?: string | null;
  /** Time limit of each call. */
  readonly timeoutMs?: number;
}

/**
 * Registers the simulated channels with the simulator: their credentials, and the destination of their callbacks. Can
 * be repeated at any time; the simulator keeps the latest.
 * @returns the number of registered numbers.
 * @throws SimulatorRefused if the simulator can't be reached, takes longer than 5 s, or refuses.
 */
export async function registerWithSimulator(options: RegisterOptions): Promise<number> {
  const { services, organizationId = null } = options;
  let count = 0;
  for (let afterId: string | null = null; ;) {
    const page: SimulatedChannel[] = await simulatedChannels(services.orm, {
      organizationId,
      afterId,
      rowsMax: NUMBERS_MAX,
    });
    const last = page.at(-1);
    if (!last) return count;
    await putNumbers(
      options,
      page.map((channel) => describe(options, channel)),
    );
    count += page.length;
    afterId = last.id;
  }
}

function describe({ services: { vault }, baseUrl }: RegisterOptions, channel: SimulatedChannel) {
  return {
    phone_number_id: channel.phoneNumberId,
    waba_id: channel.wabaId,
    display_phone_number: channel.displayPhoneNumber,
    access_token: vault.decrypt(channel.accessTokenEncrypted, accessTokenPurpose(channel.id)),
    app_secret: vault.decrypt(channel.appSecretEncrypted, appSecretPurpose(channel.id)),
    callback_url: `${baseUrl}/api/upstream/whatsapp/${channel.id}`,
    verify_token: simulatedVerifyToken(vault, channel.id),
  };
}

async function putNumbers(
  options: RegisterOptions,
  numbers: readonly ReturnType<typeof describe>[],
): Promise<void> {
  const { simulatorUrl, timeoutMs = TIMEOUT_MS } = options;
  let answer: SimulatorAnswer;
  try {
    answer = await callSimulator(`${simulatorUrl}/simulator/numbers`, {
      method: "PUT",
      body: { numbers },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new SimulatorRefused(`The simulator at ${simulatorUrl} doesn't respond`, { cause: error });
  }
  if (answer.status === 200) return;
  throw new SimulatorRefused(
    `The simulator at ${simulatorUrl} responded with ${answer.status}: ${answer.text.slice(0, ANSWER_SHOWN_MAX)}`,
  );
}
