/** All of it is in the layout. */
export default function OneEndpointPage() {
  return null;
}
