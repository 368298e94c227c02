"use client";

import { Button, Group, Menu, ActionIcon, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Column, Whole } from "@/app/ui/data-table";
import { IconDots } from "@/app/ui/icons";
import { MoreButton } from "@/app/ui/more-button";
import { Page } from "@/app/ui/admin-page";
import { QueryState } from "@/app/ui/query-state";
import { SortableTable } from "@/app/ui/sortable-table";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useViewer } from "../shared/viewer";
import { Invitations } from "./invitations";
import { InviteDialog } from "./invite";
import { RemoveDialog, RightsDialog } from "./member-dialogs";

export type Member = inferOutput<Procedures["members"]["list"]>["data"][number];

const COLUMNS: readonly Column<Member>[] = [
  { head: "Name", sortBy: ({ name }) => name, cell: (member) => <Name member={member} /> },
  { head: "Role", sortBy: ({ role }) => role, cell: (member) => <Role member={member} /> },
  {
    head: "Two-factor",
    sortBy: ({ hasTwoFactor }) => (hasTwoFactor ? "on" : "off"),
    cell: ({ hasTwoFactor }) => (hasTwoFactor ? <Tag tone="good">on</Tag> : <Tag tone="warn">off</Tag>),
  },
  {
    head: "Last seen",
    sortBy: ({ lastSeenAt }) => lastSeenAt,
    cell: (member) => <LastSeen member={member} />,
  },
  { head: "Change", isQuiet: true, cell: (member) => <Actions member={member} /> },
];

/** The last sign-in is recorded only from time to time, but the viewer is certainly here now. */
function LastSeen({ member: { lastSeenAt, isYou } }: { member: Member }) {
  if (isYou) return "now";
  return lastSeenAt === null ? "not recently" : <Time at={lastSeenAt} />;
}

function Name({ member: { name, email, isYou } }: { member: Member }) {
  return (
    <>
      <Group gap="xs">
        {name}
        {isYou ? <Tag tone="neutral">you</Tag> : null}
      </Group>
      <Text size="sm" c="dimmed" fw={400}>
        {email}
      </Text>
    </>
  );
}

function Role({ member: { role, permissions } }: { member: Member }) {
  const { grantable } = useViewer().organization;
  const wordsOf = (permission: string) =>
    grantable.find(({ name }) => name === permission)?.words ?? permission;
  return (
    <>
      <Whole>{role}</Whole>
      {permissions.length > 0 ? (
        <Text size="sm" c="dimmed">
          and can {permissions.map(wordsOf).join(", ")}
        </Text>
      ) : null}
    </>
  );
}

function Actions({ member }: { member: Member }) {
  const { organization, me } = useViewer();
  const [isChanging, changing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const ownRole = me.organizations.find(({ id }) => id === organization.id)?.role;
  if (member.role === "owner" && ownRole !== "owner") return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Change ${member.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={changing.open}>Role and permissions</Menu.Item>
          <Menu.Item color="red" onClick={removing.open}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RightsDialog member={member} isOpen={isChanging} onClose={changing.close} />
      <RemoveDialog member={member} isOpen={isRemoving} onClose={removing.close} />
    </>
  );
}

export function Members() {
  const trpc = useTRPC();
  const [isInviting, inviting] = useDisclosure(false);
  const query = useInfiniteQuery(
    trpc.members.list.infiniteQueryOptions(
      {},
      { getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined },
    ),
  );
  return (
    <Page
      title="Members"
      lead="Who can sign in to this organization and what they can do."
      actions={<Button onClick={inviting.open}>Invite a member</Button>}
    >
      <QueryState query={query} rows={3}>
        {({ pages }) => (
          <SortableTable
            isComplete={!query.hasNextPage}
            caption="Members"
            columns={COLUMNS}
            rows={pages.flatMap(({ data }) => data)}
            rowKey={({ id }) => id}
          />
        )}
      </QueryState>
      <MoreButton query={query} />
      <Invitations />
      <InviteDialog isOpen={isInviting} onClose={inviting.close} />
    </Page>
  );
}
