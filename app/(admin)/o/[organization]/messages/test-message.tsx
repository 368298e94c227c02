"use client";

import { Button, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMounted } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { newClickId } from "@/app/ui/click-id";
import { Dialog } from "@/app/ui/dialog";
import { Failure, QueryState } from "@/app/ui/query-state";
import { refusalOf } from "@/app/ui/refusal";
import { useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";
import { useAskAnew } from "@/app/ui/use-ask-anew";
import { useFocusKept } from "@/app/ui/use-focus-kept";
import { usePath } from "../shell/viewer";
import { type Channel, useChannels } from "../use-channels";

/** A text or a template to one number, by the same rules as any other message. */
export function TestMessage({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // Mantine only remembers whose the focus was where the dialog opens after it was there.
  const isThere = useMounted();
  const { query, channels } = useChannels();
  return (
    <Dialog isOpen={isOpen && isThere} onClose={onClose} title="Send a test message">
      <QueryState query={query} rows={4}>
        {() => {
          const usable = channels.filter(({ state }) => state !== "disabled");
          return usable.length === 0 ? (
            <Text>No channel is connected yet. Connect one on the page Channels first.</Text>
          ) : (
            <TestForm channels={usable} onClose={onClose} />
          );
        }}
      </QueryState>
    </Dialog>
  );
}

/** As many as the longest page of a list has. */
const PAGE_LENGTH = "100";
/** Templates that are shown to choose from: what is typed looks among all. */
const SHOWN_MAX = 100;

function useApprovedTemplates(channelId: string) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.templates.list.infiniteQueryOptions(
      { channel_id: channelId, state: "approved", limit: PAGE_LENGTH },
      { getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return useAllPages(query);
}

function TestForm({ channels, onClose }: { channels: readonly Channel[]; onClose: () => void }) {
  const trpc = useTRPC();
  const path = usePath();
  const router = useRouter();
  const askAnew = useAskAnew();
  const [click, setClick] = useState(newClickId);
  const form = useForm({
    // What is sent after a change is another message; sent again as it is, it is the same, whatever became of the answer.
    onValuesChange: () => setClick(newClickId()),
    initialValues: {
      channelId: (channels.find(({ is_default: isDefault }) => isDefault) ?? channels[0])?.id ?? "",
      number: "",
      type: "text",
      body: "",
      templateId: "",
      variables: emptyVariables(),
    },
  });
  const { channelId, type, templateId, variables, body, number } = form.values;
  const templates = useApprovedTemplates(channelId);
  const template = templates.find((one) => one.template_submission_id === templateId);
  const send = useMutation(
    trpc.messages.sendTest.mutationOptions({
      onSuccess: async ({ messageId }) => {
        onClose();
        notifications.show({ message: "The test message is accepted." });
        router.push(path(`/messages/${messageId}`), { scroll: false });
        await askAnew(trpc.messages.search.queryFilter());
      },
      onError: (error) => {
        const { field, message } = refusalOf(error);
        const own = field?.replace(/^content\./, "");
        if (own !== undefined) form.setFieldError(own, message);
      },
    }),
  );
  const submit = () =>
    send.mutate({
      click,
      channelId,
      number,
      content:
        type === "text"
          ? { type: "text", body }
          : { type: "template", templateId, variables: chosen(variables, template?.variables ?? []) },
    });
  useFocusKept(send.isPending, send.error);
  const isAtField = send.error !== null && Object.keys(form.errors).length > 0;
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <Select
          label="Channel"
          data={channels.map(({ id, name, display_phone_number: shown }) => ({
            value: id,
            label: `${name} (${shown})`,
          }))}
          allowDeselect={false}
          {...form.getInputProps("channelId")}
        />
        <TextInput
          label="Number"
          description="With its country’s code, such as +49 151 12345678"
          type="tel"
          autoComplete="off"
          ref={focusFirst}
          data-autofocus
          {...form.getInputProps("number")}
        />
        <SegmentedControl
          aria-label="What to send"
          data={[
            { value: "text", label: "Text" },
            { value: "template", label: "Template" },
          ]}
          {...form.getInputProps("type")}
        />
        {type === "text" ? (
          <Textarea
            label="What it says"
            description="Only to somebody who wrote within the last 24 hours; everybody else gets a template"
            autosize
            minRows={3}
            {...form.getInputProps("body")}
          />
        ) : (
          <>
            <Select
              label="Template"
              description="Approved templates of the channel"
              searchable
              nothingFoundMessage="No approved template"
              limit={SHOWN_MAX}
              data={templates.map(({ template_submission_id: id, name, language }) => ({
                value: id,
                label: `${name} (${language})`,
              }))}
              {...form.getInputProps("templateId")}
            />
            {template?.body ? (
              <Text size="sm" c="dimmed" style={{ whiteSpace: "pre-wrap" }}>
                {template.body}
              </Text>
            ) : null}
            {(template?.variables ?? []).map((name) => (
              <TextInput
                key={name}
                label={`Variable ${name}`}
                value={variables[name] ?? ""}
                error={form.errors[`variables.${name}`]}
                onChange={({ currentTarget }) =>
                  form.setFieldValue("variables", { ...variables, [name]: currentTarget.value })
                }
              />
            ))}
            {form.errors.variables ? (
              <Text size="sm" c="var(--mantine-color-error)">
                {form.errors.variables}
              </Text>
            ) : null}
          </>
        )}
        {send.error && !isAtField ? <Failure error={send.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Where the form comes after its dialog, the dialog has given the focus to its own button meanwhile. */
function focusFirst(field: HTMLInputElement | null): void {
  if (field?.closest("[role=dialog]")?.contains(document.activeElement)) field.focus();
}

/** By the names of the template's variables. */
function emptyVariables(): Record<string, string> {
  return {};
}

function chosen(
  variables: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, variables[name] ?? ""]));
}
