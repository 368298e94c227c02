/** The layout says so beside the endpoint, where the delivery would be. */
export default function NoSuchDelivery() {
  return null;
}
