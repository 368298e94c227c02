import type { Metadata } from "next";
import { OnlyFor } from "../shared/only-for";
import { ChoosePhone } from "./choose-phone";

export const metadata: Metadata = { title: "Customer’s phone" };

export default function PhonePage() {
  return (
    <OnlyFor capability="messages.read" title="Customer’s phone">
      <ChoosePhone />
    </OnlyFor>
  );
}
