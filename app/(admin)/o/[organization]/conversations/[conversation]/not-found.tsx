/** The layout says so beside the list, in place of the conversation. */
export default function NoSuchConversation() {
  return null;
}
