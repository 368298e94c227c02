import { NoSuchThing } from "../../../shared/no-such-thing";

export default function NoSuchPhone() {
  return <NoSuchThing noun="channel" list="the phones" path="/phone" />;
}
