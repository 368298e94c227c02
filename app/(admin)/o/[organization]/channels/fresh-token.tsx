"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** A verify token that was just created. It is kept only here: leaving these pages discards it. */
interface FreshToken {
  readonly channelId: string;
  readonly verifyToken: string;
}

interface Held {
  readonly fresh: FreshToken | null;
  setFresh(fresh: FreshToken | null): void;
}

const FreshTokenContext = createContext<Held | null>(null);

export function FreshTokenProvider({ children }: { children: ReactNode }) {
  const [fresh, setFresh] = useState<FreshToken | null>(null);
  const held = useMemo(() => ({ fresh, setFresh }), [fresh]);
  return <FreshTokenContext value={held}>{children}</FreshTokenContext>;
}

export function useFreshToken(): Held {
  const held = useContext(FreshTokenContext);
  if (held === null) throw new Error("A verify token is shown outside of the channels' layout");
  return held;
}
