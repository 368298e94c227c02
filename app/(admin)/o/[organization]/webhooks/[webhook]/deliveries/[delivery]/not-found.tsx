/** The layout says so beside the endpoint, in place of the delivery. */
export default function NoSuchDelivery() {
  return null;
}
