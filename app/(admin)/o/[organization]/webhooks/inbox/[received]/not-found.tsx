/** The layout says so beside the list, in place of the webhook. */
export default function NoSuchWebhook() {
  return null;
}
