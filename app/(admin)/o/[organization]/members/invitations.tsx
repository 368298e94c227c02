"use client";

import { Group } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { ActionButton } from "@/app/ui/action-button";
import { type Column, DataTable } from "@/app/ui/data-table";
import { MoreButton } from "@/app/ui/more-button";
import { QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { NewLink } from "./invite";
import { useIsOwner } from "./rights-fields";

type Invitation = inferOutput<Procedures["members"]["invitations"]>["data"][number];

const COLUMNS: readonly Column<Invitation>[] = [
  { head: "Email address", cell: ({ email }) => email },
  { head: "Role", cell: ({ role }) => role },
  { head: "Invited", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: "Expires",
    cell: ({ expiresAt, isExpired }) =>
      isExpired ? <Tag tone="neutral">expired</Tag> : <Time at={expiresAt} />,
  },
  {
    head: "Change",
    isQuiet: true,
    cell: (invitation) => <Acts invitation={invitation} />,
  },
];

/** Only owners can change an owner's invitation. */
function Acts({ invitation }: { invitation: Invitation }) {
  const isOwner = useIsOwner();
  if (invitation.role === "owner" && !isOwner) return null;
  return (
    <Group gap="xs" justify="flex-end">
      <NewLink invited={invitation} />
      <Withdraw invitation={invitation} />
    </Group>
  );
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const renew = useChanged("members");
  const { mutateAsync } = useMutation(useTRPC().members.withdrawInvitation.mutationOptions());
  const act = useAction(async () => {
    await mutateAsync({ invitationId: id });
    await renew();
  }, "The invitation was withdrawn.");
  return (
    <ActionButton
      act={act}
      size="compact-sm"
      variant="default"
      aria-label={`Withdraw the invitation for ${email}`}
    >
      Withdraw
    </ActionButton>
  );
}

/** Not shown while there are no invitations. */
export function Invitations() {
  const query = useInfiniteQuery(
    useTRPC().members.invitations.infiniteQueryOptions(
      {},
      { getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined },
    ),
  );
  return (
    <QueryState query={query} rows={1}>
      {({ pages }) =>
        pages[0]?.data.length === 0 ? null : (
          <Section title="Invitations">
            <DataTable
              caption="Invitations"
              columns={COLUMNS}
              rows={pages.flatMap(({ data }) => data)}
              // A new link makes a new invitation for the same address, whose dialog is still open.
              rowKey={({ email }) => email}
            />
            <MoreButton query={query} label="Show more invitations" />
          </Section>
        )
      }
    </QueryState>
  );
}
