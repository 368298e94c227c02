"use client";

import { Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { PreviewBubble } from "../shared/template-message";
import { type TemplateDetail, TemplateText } from "../templates/template-parts";
import styles from "./template-fields.module.css";
import { fieldsOf, filledPieces, type TemplateField, valueIn } from "./template-words";
import type { ApprovedTemplate, Content } from "./test-content";

/** Maximum templates shown as choices. The search covers all of them. */
const SHOWN_MAX = 100;

interface Props {
  readonly value: Pick<Content, "templateId" | "variables">;
  readonly templates: readonly ApprovedTemplate[];
  readonly faultAt: (field: string) => string | null;
  readonly onChange: (some: Partial<Pick<Content, "templateId" | "variables">>) => void;
}

/** Fields for a template and its values, with a preview of the message. */
export function TemplateFields(props: Props) {
  const { value, templates, faultAt, onChange } = props;
  const { templateId } = value;
  return (
    <>
      <Select
        label="Template"
        description="Approved templates of the channel"
        searchable
        nothingFoundMessage="No approved templates"
        limit={SHOWN_MAX}
        data={templates.map(({ template_submission_id: id, name, language }) => ({
          value: id,
          label: `${name} (${language})`,
        }))}
        value={templateId}
        error={faultAt("templateId")}
        // Values belong to one template: "1" of another means something else.
        onChange={(id) => onChange({ templateId: id ?? "", variables: {} })}
      />
      {templateId === "" ? null : <Chosen {...props} />}
    </>
  );
}

function Chosen(props: Props) {
  const { value, faultAt } = props;
  const { templateId, variables } = value;
  const query = useQuery(useTRPC().templates.get.queryOptions({ templateId }));
  return (
    <QueryState query={query} rows={3}>
      {(template) => {
        const fields = fieldsOf(template);
        const isAtOne = fields.some(({ name }) => faultAt(`variables.${name}`) !== null);
        const faultOfAll = isAtOne ? null : faultAt("variables");
        return (
          <div className={styles.chosen}>
            <div className={styles.columns}>
              {fields.length === 0 ? null : (
                <Stack gap="xs">
                  {fields.map((field) => (
                    <ValueField key={field.name} of={field} {...props} />
                  ))}
                </Stack>
              )}
              <div className={styles.preview}>
                <Preview of={template} values={variables} />
              </div>
            </div>
            {faultOfAll === null ? null : (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {faultOfAll}
              </Text>
            )}
          </div>
        );
      }}
    </QueryState>
  );
}

function ValueField({
  of: { name, label, example, isUrl },
  value: { variables },
  faultAt,
  onChange,
}: Props & { readonly of: TemplateField }) {
  const value = valueIn(variables, name) ?? "";
  const fault = faultAt(`variables.${name}`);
  const isMissing = fault !== null && value.trim() === "";
  return (
    <TextInput
      label={label}
      placeholder={isUrl ? "https://" : example === null ? undefined : `Example: ${example}`}
      inputMode={isUrl ? "url" : undefined}
      autoComplete="off"
      dir={isUrl ? undefined : "auto"}
      value={value}
      error={isMissing ? "Enter this value." : fault}
      onChange={({ currentTarget }) => onChange({ variables: { ...variables, [name]: currentTarget.value } })}
    />
  );
}

function Preview({ of: { parts }, values }: { of: TemplateDetail; values: Content["variables"] }) {
  const shown = parts.map(({ pieces, url, ...part }) => ({
    ...part,
    text: <TemplateText pieces={filledPieces(pieces, values)} />,
    url: url === null ? null : <TemplateText pieces={filledPieces(url, values)} />,
  }));
  return <PreviewBubble parts={shown} />;
}
