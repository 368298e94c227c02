import { NoSuchThing } from "../../shared/no-such-thing";

export default function NoSuchChannel() {
  return <NoSuchThing noun="channel" list="all channels" path="/channels" />;
}
