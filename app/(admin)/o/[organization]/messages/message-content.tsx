import { Blockquote, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Fact, Facts } from "@/app/ui/facts";
import { InlineLink } from "../shared/inline-link";
import type { Inspection } from "./message-panel";

/** Shows what the customer reads or sees. */
export function MessageContent({ message: { content, template, type } }: { message: Inspection }) {
  if (content === null) return <Text c="dimmed">The content was erased.</Text>;
  const text = textAt(content, "text", "body");
  const variables = recordAt(recordAt(content, "template"), "variables");
  const file = textAt(content, "media", "filename");
  return (
    <>
      {text === null ? null : <Said>{text}</Said>}
      {template === null ? null : <TemplateParts template={template} />}
      {type === "text" ? null : (
        <Facts>
          <Fact name="Type">{type}</Fact>
          {template === null ? null : (
            <Fact name="Template">
              <TemplateLink template={template} />
            </Fact>
          )}
          {Object.entries(variables).map(([name, value]) => (
            <Fact key={name} name={`{{${name}}}`}>
              {String(value)}
            </Fact>
          ))}
          {file === null ? null : <Fact name="File">{file}</Fact>}
        </Facts>
      )}
    </>
  );
}

function Said({ children }: { children: ReactNode }) {
  return (
    <Blockquote
      p="sm"
      radius="md"
      fz="md"
      mb="xs"
      style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
    >
      {children}
    </Blockquote>
  );
}

type SentTemplate = NonNullable<Inspection["template"]>;

function TemplateParts({ template: { parts, isChanged } }: { template: SentTemplate }) {
  if (parts.length === 0) return null;
  return (
    <>
      <Said>
        <Stack gap="xs">
          {parts.map(({ label, text, url }) => (
            <div key={label}>
              {label === "Body" ? null : (
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
              )}
              {url === null ? text : `${text} → ${url}`}
            </div>
          ))}
        </Stack>
      </Said>
      {isChanged ? (
        <Text size="sm" c="dimmed" mb="xs">
          The template was updated after the message was sent. The customer may have seen a different text.
        </Text>
      ) : null}
    </>
  );
}

function TemplateLink({ template: { id, name, language } }: { template: SentTemplate }) {
  return (
    <InlineLink to={`/templates/${id}`}>
      {name} ({language})
    </InlineLink>
  );
}

type Values = Readonly<Record<string, unknown>>;

function recordAt(values: Values, name: string): Values {
  const value = values[name];
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textAt(values: Values, part: string, name: string): string | null {
  const value = recordAt(values, part)[name];
  return typeof value === "string" && value !== "" ? value : null;
}
