/** The layout says so beside the list, where the template would be. */
export default function NoSuchTemplate() {
  return null;
}
