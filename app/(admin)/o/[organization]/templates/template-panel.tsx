"use client";

import { Anchor, Code, Group, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CopyText } from "@/app/ui/copy";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { usePath } from "../shared/viewer";
import { reasonWords } from "./reason-words";
import styles from "./template.module.css";
import { type TemplateDetail, TemplateStateTag, TemplateText } from "./template-parts";

/** Describes each template state to the user. */
const STATE_WORDS = {
  approved: "You can send this template.",
  pending: "WhatsApp hasn’t reviewed this template yet. You can’t send it until it is approved.",
  rejected: "WhatsApp rejected this template. Change it at Meta and submit it again.",
  paused:
    "WhatsApp paused this template because customers blocked or reported it. You can’t send it for now.",
  disabled: "You can’t send this template any more.",
} as const satisfies Record<TemplateDetail["state"], string>;

/** Shows one template: whether it can be sent, what a customer sees, and which variables a message must provide. */
export function TemplatePanel({ templateId }: { templateId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.templates.get.queryOptions({ templateId }));
  return (
    <QueryState query={query}>
      {(template) => (
        <Stack gap="xl">
          <Stack gap={6} align="flex-start">
            <TemplateStateTag state={template.state} />
            <Text fz="lg" fw={600} className={styles.name}>
              {template.name}
            </Text>
            <Text>{STATE_WORDS[template.state]}</Text>
            {template.reason === null ? null : (
              <Text style={{ overflowWrap: "anywhere" }}>{reasonWords(template.reason)}</Text>
            )}
          </Stack>
          <Part title="Preview">
            <Stack gap="xs">
              {template.parts.map(({ label, kind, pieces, url }) => (
                <div key={label}>
                  <Text size="sm" c="dimmed">
                    {label}
                  </Text>
                  <div className={styles.part}>
                    <TemplateText pieces={pieces} />
                    {kind === "button" && url !== null ? (
                      <>
                        {" → "}
                        <TemplateText pieces={url} />
                      </>
                    ) : null}
                  </div>
                </div>
              ))}
            </Stack>
          </Part>
          <Part title="Variables">
            <Variables of={template} />
          </Part>
          <Part title="Details">
            <TemplateFacts of={template} />
          </Part>
        </Stack>
      )}
    </QueryState>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Text component="h3" fw={650} mb="xs">
        {title}
      </Text>
      {children}
    </section>
  );
}

function Variables({ of: template }: { of: TemplateDetail }) {
  const example = exampleOf(template);
  return (
    <Stack gap="sm" align="stretch">
      {template.variables.length === 0 ? (
        <Text>This template has no variables.</Text>
      ) : (
        <List size="sm">
          {template.variables.map((name) => (
            <List.Item key={name}>
              <Code>{name}</Code>
              <Example value={template.examples[name]} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed">
        In the body of <Code>POST /messages</Code>:
      </Text>
      <pre className={styles.example}>
        <code>{example}</code>
      </pre>
      <Group>
        <CopyText value={example} label="Copy" />
      </Group>
    </Stack>
  );
}

function Example({ value }: { value: string | undefined }) {
  return value === undefined ? null : (
    <>
      , for example <bdi>{value}</bdi>
    </>
  );
}

function exampleOf({ id, variables, examples }: TemplateDetail): string {
  const values = Object.fromEntries(variables.map((name) => [name, examples[name] ?? "…"]));
  const body = { type: "template", template: { template_submission_id: id, variables: values } };
  return JSON.stringify(body, null, 2);
}

function TemplateFacts({ of: template }: { of: TemplateDetail }) {
  const path = usePath();
  return (
    <Facts>
      <Fact name="Language">{template.language}</Fact>
      <Fact name="Category">{template.category ?? "unknown"}</Fact>
      <Fact name="Channel">
        <Anchor inherit component={PageLink} href={path(`/channels/${template.channelId}`)}>
          {template.channelName}
        </Anchor>
      </Fact>
      <Fact name="Changed">
        <Time at={template.updatedAt} isExact />
      </Fact>
      <IdFact name="Submission ID" value={template.id} />
    </Facts>
  );
}
