/** The layout says so beside the list, where the message would be. */
export default function NoSuchMessage() {
  return null;
}
