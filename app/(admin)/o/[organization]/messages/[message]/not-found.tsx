/** The layout says so beside the list, in place of the message. */
export default function NoSuchMessage() {
  return null;
}
