import { NoSuchThing } from "../../shared/no-such-thing";

export default function NoSuchContact() {
  return <NoSuchThing noun="contact" list="all contacts" path="/contacts" />;
}
