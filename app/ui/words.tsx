import { Code } from "@mantine/core";

/** Words of the catalogue, in which names of fields and commands stand between backticks. */
export function Words({ children }: { children: string }) {
  return children
    .split("`")
    .map((part, place) => (place % 2 === 1 ? <Code key={`${place} ${part}`}>{part}</Code> : part));
}
