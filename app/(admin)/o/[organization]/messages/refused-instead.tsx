"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { createFollower } from "@/app/ui/follow";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { useMay } from "../shared/viewer";

/** Shown if no message was found because its request was refused: the refused request with the id from the search. */
export function RefusedInstead({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayRead = useMay()("requests.read");
  // A refusal may appear in the list some seconds after its response. Once found, it no longer changes.
  const [isFound, setIsFound] = useState(false);
  const [pauseMs] = useState(createFollower);
  const query = useQuery(
    trpc.requests.list.queryOptions(
      { anyId: id, limit: "1" },
      { enabled: mayRead, refetchInterval: ({ state }) => !isFound && pauseMs(state) },
    ),
  );
  const found = query.data?.data[0];
  if (found !== undefined && !isFound) setIsFound(true);
  if (found === undefined) return null;
  return (
    <p aria-live="polite">
      A request with this ID <InlineLink to={`/requests/${found.requestId}`}>was refused</InlineLink>{" "}
      <Time at={found.at} />: {found.code}
    </p>
  );
}
