import { Fragment } from "react";
import { Prose, Table } from "../parts/article";
import type { Field } from "./fields";

/** The fields of a body or an object. */
export function FieldTable({ fields, head = "Field" }: { fields: readonly Field[]; head?: string }) {
  return (
    <Table
      isStacked
      head={[head, "Type", "Description"]}
      rows={fields.map((field) => ({
        key: field.name,
        cells: [
          <code key="name">{field.name}</code>,
          <Fragment key="type">
            <Prose text={field.type} />
            <Objects names={field.objects} />
            {field.isRequired ? null : ", optional"}
          </Fragment>,
          <Prose key="description" text={field.description} />,
        ],
      }))}
    />
  );
}

function Objects({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index === 0 ? ": " : ", "}
      <a href={`#${name}`}>{name}</a>
    </Fragment>
  ));
}
