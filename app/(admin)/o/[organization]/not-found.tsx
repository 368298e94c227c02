import { NoSuchThing } from "./shared/no-such-thing";

export default function NoSuchPage() {
  return <NoSuchThing noun="page" list="all messages" path="/messages" />;
}
