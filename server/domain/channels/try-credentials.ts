import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import type { NumberFault } from "@/server/adapters/whatsapp/answer";

export interface TriedCredentials {
  readonly phoneNumberId: string;
  readonly accessToken: string;
  /** Tried too where it is given. */
  readonly appSecret?: string;
}

export type Trial =
  | {
      readonly kind: "works";
      /** As people write it; null where the upstream doesn't tell it. */
      readonly displayPhoneNumber: string | null;
    }
  /** The upstream couldn't be asked, or answered nothing of use. */
  | { readonly kind: "untried"; readonly reason: string };

const REFUSALS = {
  accessToken: "wasn't saved: it can't read the number",
  phoneNumberId: "isn't the id of a number that the access token can read",
  appSecret: "wasn't saved: it belongs to a different app than the access token",
} as const satisfies Record<NumberFault, string>;

/**
 * Reads a number of Meta's with its credentials, before they are saved.
 * @throws WaypostError `validation_failed` with Meta's own words, at what Meta refuses.
 */
export async function tryCredentials(services: Services, tried: TriedCredentials): Promise<Trial> {
  const baseUrl = services.upstreamUrl("meta");
  if (baseUrl === null) return { kind: "untried", reason: "the URL of the upstream isn't known" };
  const answer = await services.whatsapp.readNumber({ baseUrl, ...tried });
  if (answer.kind === "readable") return { kind: "works", displayPhoneNumber: answer.displayPhoneNumber };
  const { fault, detail } = answer;
  if (fault === null) return { kind: "untried", reason: detail.reason };
  // Meta's words begin with the code themselves, at times.
  const said = detail.reason.replace(/^\(#\d+\) /, "");
  throw new WaypostError("validation_failed", {
    message: `\`${fault}\` ${REFUSALS[fault]}. Meta says: (#${detail.upstreamCode}) ${said}`,
    field: fault,
  });
}
