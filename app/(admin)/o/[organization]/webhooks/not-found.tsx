import { NoSuchThing } from "../shared/no-such-thing";

export default function NoSuchEndpoint() {
  return <NoSuchThing noun="webhook endpoint" list="all webhooks" path="/webhooks" />;
}
