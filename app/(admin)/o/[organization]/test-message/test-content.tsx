"use client";

import { SegmentedControl, Textarea } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { inferInput, inferOutput } from "@trpc/tanstack-react-query";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";
import { TemplateFields } from "./template-fields";
import { valueIn } from "./template-words";

/** The input for both kinds, so that switching between them loses nothing. */
export interface Content {
  readonly type: "text" | "template";
  readonly body: string;
  readonly templateId: string;
  /** Values by variable name of the template. */
  readonly variables: Readonly<Record<string, string>>;
}

export const NO_CONTENT: Content = { type: "text", body: "", templateId: "", variables: {} };

export interface Fields {
  readonly value: Content;
  readonly templates: readonly ApprovedTemplate[];
  readonly faultAt: (field: string) => string | null;
  readonly onChange: (some: Partial<Content>) => void;
}

/** Fields for the content of a test message: a text, or a template with its variables. */
export function ContentFields(props: Fields) {
  const { value, faultAt, onChange } = props;
  return (
    <>
      <SegmentedControl
        aria-label="Message type"
        data={[
          { value: "text", label: "Text" },
          { value: "template", label: "Template" },
        ]}
        value={value.type}
        onChange={(type) => onChange({ type })}
      />
      {value.type === "text" ? (
        <Textarea
          label="Message text"
          description="Only for customers who wrote within the last 24 hours. For all others, send a template."
          autosize
          minRows={3}
          value={value.body}
          error={faultAt("body")}
          onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      ) : (
        <TemplateFields {...props} />
      )}
    </>
  );
}

/** Returns the content for the request, with only those variables that the template has. */
export function contentOf(
  { type, body, templateId, variables }: Content,
  templates: readonly ApprovedTemplate[],
): inferInput<Procedures["messages"]["sendTest"]>["content"] {
  if (type === "text") return { type, body };
  const names = chosenOf(templates, templateId)?.variables ?? [];
  return {
    type,
    templateId,
    variables: Object.fromEntries(names.map((name) => [name, valueIn(variables, name) ?? ""])),
  };
}

/** Returns the chosen template. */
export function chosenOf(templates: readonly ApprovedTemplate[], id: string): ApprovedTemplate | undefined {
  return templates.find((one) => one.template_submission_id === id);
}

export type ApprovedTemplate = inferOutput<Procedures["templates"]["list"]>["data"][number];

/** The maximum length of a page. */
const PAGE_LENGTH = "100";

/** Returns all templates that a channel may send. */
export function useApprovedTemplates(channelId: string): readonly ApprovedTemplate[] {
  const query = useInfiniteQuery(
    useTRPC().templates.list.infiniteQueryOptions(
      { channel_id: channelId, state: "approved", limit: PAGE_LENGTH },
      { getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return useAllPages(query);
}
