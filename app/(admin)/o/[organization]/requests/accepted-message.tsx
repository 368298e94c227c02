"use client";

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { StateTag } from "../shared/message-state";
import { InlineLink } from "../shared/inline-link";
import { useMay } from "../shared/viewer";

/** An id can also be the last digits of a phone number. */
const KINDS = { client_message_id: "client_message_id", "request id": "request_id" } as const;

/**
 * The newest message that was accepted with this id (the integrator's id or a request's). Renders nothing if there is
 * none.
 */
export function AcceptedMessage({ id, of }: { id: string; of: keyof typeof KINDS }) {
  const trpc = useTRPC();
  const mayRead = useMay()("messages.read");
  const found = useQuery(
    trpc.messages.search.queryOptions(
      { q: id, by: KINDS[of], limit: "1" },
      { enabled: mayRead && id !== "" },
    ),
  ).data?.data[0];
  if (found === undefined) return null;
  return (
    <Text>
      A message with this {of} <InlineLink to={`/messages/${found.id}`}>was accepted</InlineLink>{" "}
      <Time at={found.createdAt} />. <StateTag state={found.state} isInDoubt={found.inDoubtSince !== null} />
    </Text>
  );
}
