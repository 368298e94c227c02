"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferInput, inferOutput } from "@trpc/tanstack-react-query";
import { createContext, useContext } from "react";
import { type Procedures, useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useRefetch } from "@/app/ui/use-refetch";
import { mergeViews } from "./merge";

export type PhoneView = inferOutput<Procedures["phone"]["get"]>;
export type PhoneMessage = PhoneView["messages"][number];
export type Bubble = PhoneMessage["bubble"];
export type CustomerAction = inferInput<Procedures["phone"]["act"]>["act"];

/** The channel and the customer whose phone is shown. */
export interface PhoneName {
  readonly channelId: string;
  readonly customer: string;
}

const REFRESH_MS = 1_000;

/** Reads the phone every second while the page is visible. Only what has changed is asked for. */
export function usePhoneView(name: PhoneName) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const queryKey = trpc.phone.get.queryKey(name);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<PhoneView> => {
      const before = queries.getQueryData<PhoneView>(queryKey);
      const after = before?.cursor ?? null;
      return mergeViews(before, await client.phone.get.query({ ...name, after }, { signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}

const NameContext = createContext<PhoneName | null>(null);
export const PhoneNameProvider = NameContext.Provider;

/** Returns the name of the phone around the component. */
export function usePhoneName(): PhoneName {
  const name = useContext(NameContext);
  if (name === null) throw new Error("A part of a phone is shown outside of one");
  return name;
}

/** Returns a function that does something as the customer, and then shows it. */
export function useCustomerAction(): (act: CustomerAction) => Promise<void> {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const name = usePhoneName();
  return async (act) => {
    await client.phone.act.mutate({ ...name, act });
    await refetch(trpc.phone.get.queryFilter(name));
  };
}
