/** The layout says so beside the list, in place of the template. */
export default function NoSuchTemplate() {
  return null;
}
