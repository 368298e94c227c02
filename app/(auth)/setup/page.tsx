import type { Metadata } from "next";
import { Setup } from "./setup";

export const metadata: Metadata = { title: "Set up" };

export default function SetupPage() {
  return <Setup />;
}
