import { useNow } from "@/app/ui/time";
import type { Conversation } from "./types";
import type { Mode } from "./use-draft";

/** The kinds of answers that can be sent now. */
export type OpenModes = Readonly<Record<Mode, boolean>> & { readonly window: boolean };

/** By the server's clock: a window that ends while the page is open closes the box, too. */
export function useOpenModes({ thread, customer, channel }: Conversation): OpenModes {
  const now = useNow();
  const { expires_at: until } = thread.window;
  const window = until !== null && new Date(until).getTime() > now;
  const template = !customer.isErased && !channel.isDisabled;
  return { window, text: template && window, template, note: true };
}

/** Returns until when messages to the customer are refused, because one couldn't be delivered; null if they aren't. */
export function useUnreachableUntil({ customer: { unreachableUntil: until } }: Conversation): string | null {
  const now = useNow();
  return until !== null && new Date(until).getTime() > now ? until : null;
}
