interface Viewed<Message extends { readonly id: string }> {
  readonly is_whole: boolean;
  readonly messages: readonly Message[];
}

/** A phone that stays open for days keeps this many messages. */
export const MESSAGES_MAX = 500;

/** Returns the view with what has changed since the earlier one: changed messages in their place, new ones last. */
export function mergeViews<Message extends { readonly id: string }, View extends Viewed<Message>>(
  before: View | undefined,
  news: View,
): View {
  if (before === undefined || news.is_whole) return news;
  const changed = new Map(news.messages.map((message) => [message.id, message]));
  const kept = before.messages.map((message) => {
    const newer = changed.get(message.id);
    changed.delete(message.id);
    return newer ?? message;
  });
  return { ...news, messages: [...kept, ...changed.values()].slice(-MESSAGES_MAX) };
}
