import type { ReactNode } from "react";
import { FreshTokenProvider } from "./fresh-token";

/** A verify token is created on one of these pages and shown on the next. */
export default function ChannelsLayout({ children }: { children: ReactNode }) {
  return <FreshTokenProvider>{children}</FreshTokenProvider>;
}
