/** The layout renders everything. */
export default function OneEndpointPage() {
  return null;
}
