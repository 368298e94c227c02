import type { MDXComponents } from "mdx/types";
import Link from "next/link";
import { Children, type ComponentProps, isValidElement, type ReactElement, type ReactNode } from "react";
import { Article, Fold, Heading, Note, Stacked, Table } from "./article";
import { Code } from "./code";

/** The components that pages in MDX are rendered with. */
const COMPONENTS: MDXComponents = {
  wrapper: Article,
  a: PageLink,
  blockquote: ({ children }) => <Note>{children}</Note>,
  h2: ({ children }) => <LinkedHeading level={2}>{children}</LinkedHeading>,
  h3: ({ children }) => <LinkedHeading level={3}>{children}</LinkedHeading>,
  h4: ({ children }) => <LinkedHeading level={4}>{children}</LinkedHeading>,
  pre: CodeBlock,
  table: MarkdownTable,
  Fold,
  Stacked,
};

/** @mdx-js/mdx calls it by this name, for each page. */
export function useMDXComponents(): MDXComponents {
  return COMPONENTS;
}

function PageLink({ href = "", children }: { href?: string; children?: ReactNode }) {
  return href.startsWith("/docs") ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>;
}

const ID_AT_END = /\s*\[#([\w.-]+)\]$/;

/** A heading whose text ends with its id, as in `## Retries [#retries]`. @throws Error without an id. */
function LinkedHeading({ level, children }: { level: 2 | 3 | 4; children?: ReactNode }) {
  const parts = Children.toArray(children);
  const last = parts.at(-1);
  const id = typeof last === "string" ? ID_AT_END.exec(last)?.[1] : undefined;
  if (typeof last !== "string" || id === undefined)
    throw new Error(`The heading "${textOf(children)}" must end with its id, such as [#retries]`);
  return (
    <Heading level={level} id={id}>
      {[...parts.slice(0, -1), last.replace(ID_AT_END, "")]}
    </Heading>
  );
}

type BlockProps = Pick<ComponentProps<typeof Code>, "answers" | "inCheckout" | "body" | "sample">;

/** A fenced block. Words after its language are properties of `Code`, as in ```sh answers="200". */
function CodeBlock({ children, ...rest }: BlockProps & { children?: ReactNode }) {
  const [code] = elementsIn(children);
  const language = /language-(\w+)/.exec(code?.props.className ?? "")?.[1] ?? "text";
  return <Code {...rest} language={language} text={textOf(children).replace(/\n$/, "")} />;
}

function MarkdownTable({ children }: { children?: ReactNode }) {
  const [head = [], ...rows] = elementsIn(children).flatMap((section) =>
    elementsIn(section.props.children).map((row) =>
      elementsIn(row.props.children).map((cell) => cell.props.children),
    ),
  );
  return (
    <Table
      head={head.map(textOf)}
      rows={rows.map((cells) => ({ key: cells.map(textOf).join("|"), cells }))}
    />
  );
}

interface ElementProps {
  readonly children?: ReactNode;
  readonly className?: string;
}

function elementsIn(children: ReactNode): readonly ReactElement<ElementProps>[] {
  return Children.toArray(children).filter((child) => isValidElement<ElementProps>(child));
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((part) => {
      if (typeof part === "string" || typeof part === "number") return String(part);
      return isValidElement<ElementProps>(part) ? textOf(part.props.children) : "";
    })
    .join("");
}
