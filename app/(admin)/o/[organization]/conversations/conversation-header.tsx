import { ActionIcon, Anchor, Button, Group, NativeSelect, Title } from "@mantine/core";
import { CopyIcon } from "@/app/ui/copy";
import { IconArrowLeft } from "@/app/ui/icons";
import { PageLink } from "@/app/ui/page-link";
import { Fault } from "@/app/ui/query-state";
import { Tag } from "@/app/ui/tag";
import { useNow } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction, useActionWith } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { KnownPhoneButton } from "../shared/phone-link";
import { customerName } from "../shared/customer-name";
import { useListPath, useMay, usePath } from "../shared/viewer";
import styles from "./conversations.module.css";
import type { Conversation } from "./types";
import { useAssigneeChoices } from "./use-assignees";
import { remainingWords } from "./words";

/** Who the conversation is with, on which channel, and who takes care of it. */
export function ConversationHeader({ of: conversation }: { of: Conversation }) {
  const path = usePath();
  const listPath = useListPath();
  const { customer, channel, thread } = conversation;
  return (
    <header className={styles.head}>
      <div className={styles.who}>
        <ActionIcon
          component={PageLink}
          href={listPath("/conversations")}
          variant="subtle"
          color="gray"
          size="lg"
          className={styles.back}
          aria-label="All conversations"
        >
          <IconArrowLeft size={20} aria-hidden />
        </ActionIcon>
        <div className={styles.whoWords}>
          <Title order={2} fz="lg" lh={1.3} dir="auto">
            <Anchor component={PageLink} href={path(`/contacts/${customer.id}`)} inherit c="inherit">
              {customerName(customer)}
            </Anchor>
          </Title>
          <div className={styles.about}>
            {customer.number === null ? null : (
              <Group gap={2} wrap="nowrap">
                {/* Without a name, the title is the number. */}
                {customer.name === null ? null : <span>+{customer.number}</span>}
                <CopyIcon value={`+${customer.number}`} what="number" />
              </Group>
            )}
            <Anchor component={PageLink} href={path(`/channels/${channel.id}`)} inherit>
              {channel.name}
            </Anchor>
            <WindowTag of={conversation} />
            {thread.state === "closed" ? <Tag tone="neutral">closed</Tag> : null}
            {customer.marketingOptedOutAt === null ? null : <Tag tone="warn">no marketing</Tag>}
          </div>
        </div>
      </div>
      <Acts of={conversation} />
    </header>
  );
}

function WindowTag({ of: { thread, customer } }: { of: Conversation }) {
  const now = useNow();
  const { expires_at: until } = thread.window;
  const rest = until === null || customer.isErased ? null : remainingWords(until, now);
  if (rest === null) return <Tag tone="neutral">window closed</Tag>;
  return <Tag tone="good">window open: {rest} left</Tag>;
}

function Acts({ of: conversation }: { of: Conversation }) {
  const { id: threadId, thread, channel, customer } = conversation;
  const maySend = useMay()("messages.send");
  const client = useTRPCClient();
  const refresh = useRefreshed();
  const setStatus = useAction(async () => {
    await client.conversations[thread.state === "open" ? "close" : "reopen"].mutate({ threadId });
    await refresh();
  });
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        {channel.isSimulated && customer.number !== null ? (
          <KnownPhoneButton to={`/phone/${channel.id}/${customer.number}`} size="xs" />
        ) : null}
        {maySend ? (
          <>
            <Assignee of={conversation} />
            <Button
              variant="default"
              size="xs"
              flex="none"
              loading={setStatus.isBusy}
              onClick={setStatus.run}
            >
              {thread.state === "open" ? "Close" : "Reopen"}
            </Button>
          </>
        ) : null}
      </Group>
      <Fault of={setStatus.faultBeside()} />
    </div>
  );
}

function Assignee({ of: { id: threadId, assignee } }: { of: Conversation }) {
  const client = useTRPCClient();
  const refresh = useRefreshed();
  const choices = useAssigneeChoices();
  const act = useActionWith(async (choice: string) => {
    await client.conversations.assign.mutate({ threadId, memberId: choice === "" ? null : choice });
    await refresh();
  });
  const isRemoved = assignee !== null && !choices.some(({ value }) => value === assignee.id);
  return (
    <>
      <NativeSelect
        aria-label="Assignee"
        size="xs"
        flex="0 1 150px"
        miw={0}
        data={[
          { value: "", label: "Not assigned" },
          ...choices,
          ...(isRemoved ? [{ value: assignee.id, label: assignee.name ?? "a removed member" }] : []),
        ]}
        value={assignee?.id ?? ""}
        disabled={act.isBusy}
        onChange={({ currentTarget: { value } }) => act.run(value)}
      />
      <Fault of={act.faultBeside()} />
    </>
  );
}

/** Returns a function that asks again for what an act changes. */
function useRefreshed(): () => Promise<void> {
  const { get, list, timeline } = useTRPC().conversations;
  const refetch = useRefetch();
  return () => refetch(get.pathFilter(), list.pathFilter(), timeline.pathFilter());
}
