import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { readAccount } from "@/server/adapters/whatsapp/template-client";
import { type TriedCredentials, tryCredentials } from "./try-credentials";

/**
 * Checks a number with Meta before it is saved: reads the number with the token and the app secret, and the account
 * with the token.
 * @returns the number as people write it.
 * @throws WaypostError `validation_failed` at the field that Meta rejects, in Meta's words; `unavailable` if Meta can't
 * be reached.
 */
export async function askAboutNumber(
  services: Services,
  asked: TriedCredentials & { readonly wabaId: string },
): Promise<{ displayPhoneNumber: string }> {
  const displayPhoneNumber = await readNumber(services, asked);
  await requireReadableAccount(services, asked);
  return { displayPhoneNumber };
}

async function readNumber(services: Services, tried: TriedCredentials): Promise<string> {
  const { phoneNumberId, accessToken, appSecret } = tried;
  const trial = await tryCredentials(services, { phoneNumberId, accessToken, appSecret });
  if (trial.kind === "untried") throw notAsked(trial.reason);
  if (trial.displayPhoneNumber === null) throw notAsked("its response doesn't contain a number");
  return trial.displayPhoneNumber;
}

async function requireReadableAccount(
  services: Services,
  { wabaId, accessToken }: { wabaId: string; accessToken: string },
): Promise<void> {
  const baseUrl = services.urls.upstream("meta");
  if (baseUrl === null) throw notAsked("its URL isn't known");
  const answer = await readAccount({ baseUrl, wabaId, accessToken });
  if (answer.kind === "failed") throw notAsked(answer.reason);
  if (answer.kind === "answered") return;
  throw new WaypostError("validation_failed", {
    message: `\`wabaId\` isn't the id of an account whose templates the access token can read. Meta says: ${answer.reason}`,
    field: "wabaId",
  });
}

function notAsked(reason: string): WaypostError {
  return new WaypostError("unavailable", {
    message: `Meta couldn't be reached to check the number (${reason}). Nothing was saved. Try again later.`,
  });
}
