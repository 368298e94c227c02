import { Code } from "@mantine/core";

/** Renders text of the catalogue. Names of fields and commands are between backticks. */
export function Words({ children }: { children: string }) {
  return children
    .split("`")
    .map((part, place) => (place % 2 === 1 ? <Code key={`${place} ${part}`}>{part}</Code> : part));
}
