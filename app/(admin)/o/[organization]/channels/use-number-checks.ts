"use client";

import type { inferInput, inferOutput } from "@trpc/tanstack-react-query";
import { useEffect, useRef, useState } from "react";
import { type Procedures, useTRPCClient } from "@/app/ui/trpc";

export type NumberCheck = inferInput<Procedures["channels"]["check"]>["check"];
type CheckResult = inferOutput<Procedures["channels"]["check"]>;
export type CheckFailure = Extract<CheckResult, { kind: "failed" }>;

/** In their order: each relies on those before it. */
export const CHECKS = ["token", "account", "number", "secret", "webhooks"] as const satisfies NumberCheck[];

export type CheckState = { readonly kind: "waiting" } | { readonly kind: "running" } | CheckResult;
export type CheckStates = Readonly<Record<NumberCheck, CheckState>>;

const WAITING: CheckState = { kind: "waiting" };
const ALL_WAITING: CheckStates = {
  token: WAITING,
  account: WAITING,
  number: WAITING,
  secret: WAITING,
  webhooks: WAITING,
};

/** The dialog was closed while checks ran: they have no effect. */
class Abandoned extends Error {}

/** Runs the checks of a number one after the other, and keeps the state of each for display. */
export function useNumberChecks() {
  const client = useTRPCClient();
  /** Null before the first run. */
  const [states, setStates] = useState<CheckStates | null>(null);
  const [isOutdated, setIsOutdated] = useState(false);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const set = (check: NumberCheck, state: CheckState) =>
    setStates((before) => ({ ...(before ?? ALL_WAITING), [check]: state }));
  /**
   * @param from the first check to run; those before it have passed.
   * @returns the failure that ended the run; null if all checks passed.
   */
  const run = async (
    input: Omit<inferInput<Procedures["channels"]["check"]>, "check">,
    from: NumberCheck = "token",
  ): Promise<CheckFailure | null> => {
    setIsOutdated(false);
    if (from === "token") setStates(ALL_WAITING);
    for (const check of CHECKS.slice(CHECKS.indexOf(from))) {
      set(check, { kind: "running" });
      const result = await client.channels.check.mutate({ ...input, check }).catch((error: unknown) => {
        set(check, WAITING);
        throw error;
      });
      if (!isShown.current) throw new Abandoned();
      set(check, result);
      if (result.kind === "failed") return result;
    }
    return null;
  };
  return {
    states,
    /** True if the values have changed since the last run. */
    isOutdated,
    setOutdated: () => setIsOutdated(true),
    run,
  };
}
