import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import type { NumberFault } from "@/server/adapters/whatsapp/answer";

export interface TriedCredentials {
  readonly phoneNumberId: string;
  readonly accessToken: string;
  /** Also tried, if given. */
  readonly appSecret?: string;
}

export type Trial =
  | {
      readonly kind: "works";
      /** As people write it; null if the upstream doesn't report it. */
      readonly displayPhoneNumber: string | null;
    }
  /** The upstream couldn't be reached, or its response was unusable. */
  | { readonly kind: "untried"; readonly reason: string };

const REFUSALS = {
  accessToken: "wasn't saved: it can't read the number",
  phoneNumberId: "isn't the id of a number that the access token can read",
  appSecret: "wasn't saved: it belongs to a different app than the access token",
} as const satisfies Record<NumberFault, string>;

/**
 * Reads a number at Meta with its credentials, before they are saved.
 * @throws WaypostError `validation_failed` with Meta's own words, at the field that Meta rejects.
 */
export async function tryCredentials(services: Services, tried: TriedCredentials): Promise<Trial> {
  const baseUrl = services.urls.upstream("meta");
  if (baseUrl === null) return { kind: "untried", reason: "the URL of the upstream isn't known" };
  const answer = await services.whatsapp.readNumber({ baseUrl, ...tried });
  if (answer.kind === "readable") return { kind: "works", displayPhoneNumber: answer.displayPhoneNumber };
  const { fault, detail } = answer;
  if (fault === null) return { kind: "untried", reason: detail.reason };
  // Meta's message sometimes starts with the code.
  const said = detail.reason.replace(/^\(#\d+\) /, "");
  throw new WaypostError("validation_failed", {
    message: `\`${fault}\` ${REFUSALS[fault]}. Meta says: (#${detail.upstreamCode}) ${said}`,
    field: fault,
  });
}
