import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/app/ui/data-table";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { useTRPC } from "@/app/ui/trpc";
import { COLUMNS } from "../../messages/columns";
import { InlineLink } from "../../shared/inline-link";

const SHOWN = "5";
const POLL_MS = 10_000;
/** All of these are the same person's. */
const OF_MESSAGES = COLUMNS.filter(({ head }) => head !== "To");

/** The last messages that were sent to a contact, and whether they arrived. */
export function LastMessages({ contactId }: { contactId: string }) {
  const query = useQuery(
    useTRPC().messages.search.queryOptions(
      { q: contactId, by: "contact_id", limit: SHOWN },
      { refetchInterval: POLL_MS },
    ),
  );
  const all = new URLSearchParams({ q: contactId }).toString();
  return (
    <Section title="Last messages" lead="The newest messages that were sent to this contact.">
      <QueryState query={query} rows={3}>
        {({ data, next_cursor: next }) =>
          data.length === 0 ? (
            <Empty title="No messages">Nothing was sent to this contact.</Empty>
          ) : (
            <Stack gap="xs">
              <DataTable
                caption="The last messages to this contact"
                columns={OF_MESSAGES}
                rows={data}
                rowKey={({ id }) => id}
              />
              {next === null ? null : (
                <div>
                  <InlineLink to={`/messages?${all}`}>All messages</InlineLink>
                </div>
              )}
            </Stack>
          )
        }
      </QueryState>
    </Section>
  );
}
