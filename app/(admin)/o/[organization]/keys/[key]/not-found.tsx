import { NoSuchThing } from "../../shared/no-such-thing";

export default function NoSuchKey() {
  return <NoSuchThing noun="key" list="all keys" path="/keys" />;
}
