/** The layout says so beside the list, where the webhook would be. */
export default function NoSuchWebhook() {
  return null;
}
