import type { Metadata } from "next";
import { Account } from "./account";

export const metadata: Metadata = { title: "Account and security" };

export default function AccountPage() {
  return <Account />;
}
