import { upperFirst } from "@/app/ui/format";
import { Prose, Table } from "../parts/article";
import { documentation } from "../parts/documentation";

export async function Commands() {
  const { commands } = await documentation();
  return (
    <Table
      isStacked
      head={["Command", "Description"]}
      rows={commands.map(({ name, description }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="description" text={sentence(description)} />],
      }))}
    />
  );
}

export async function Variables() {
  const { variables } = await documentation();
  return (
    <Table
      isStacked
      head={["Variable", "Description", "Value", "Default"]}
      rows={variables.map(({ name, purpose, defaultValue, expected }) => ({
        key: name,
        cells: [
          <code key="name">{name}</code>,
          <Prose key="purpose" text={sentence(purpose)} />,
          expected,
          defaultValue === null ? "" : <code key="default">{defaultValue}</code>,
        ],
      }))}
    />
  );
}

function sentence(text: string): string {
  return `${upperFirst(text)}.`;
}
