import type { Element, Parents, Root } from "hast";
import { type Handle, type State, toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { isPage } from "../parts/pages";

/**
 * Converts a page to markdown. Links lead to the markdown of other pages.
 * @param path of the page, @param address of this service, for its links
 */
export function markdownOf(tree: Root, { path, address }: { path: string; address: string }): string {
  const linkOf = (href: string) => linkTo(href, path, address);
  const markdown = toMdast(tree, {
    document: true,
    handlers: {
      a: (state, node: Element, parent) =>
        isAnchor(node, parent)
          ? state.all(node)
          : {
              type: "link",
              url: linkOf(String(node.properties.href)),
              children: asPhrasing(state.all(node)),
            },
      aside: (state, node: Element) => ({ type: "blockquote", children: state.toFlow(state.all(node)) }),
      summary: (state, node: Element) => ({
        type: "paragraph",
        children: [{ type: "strong", children: asPhrasing(state.all(node)) }],
      }),
      svg: (_, node: Element) => ({
        type: "paragraph",
        children: [{ type: "text", value: `${String(node.properties.ariaLabel)}.` }],
      }),
      nav: nothing,
      fieldset: nothing,
    },
  });
  return toMarkdown(markdown, {
    bullet: "-",
    emphasis: "_",
    fences: true,
    listItemIndent: "one",
    extensions: [gfmToMarkdown({ tableCellPadding: true, tablePipeAlign: false })],
  });
}

const nothing: Handle = () => undefined;

/** Guarantee: a link and a summary contain text, code and emphasis only. */
type Phrasing = Extract<ReturnType<State["all"]>[number], { type: "text" }>;
function asPhrasing(nodes: ReturnType<State["all"]>): Phrasing[] {
  return nodes as Phrasing[];
}

/** True for a component's link without an address, and for the link of a heading to itself. */
function isAnchor(link: Element, parent: Parents | undefined): boolean {
  const isInHeading = parent?.type === "element" && /^h[1-6]$/.test(parent.tagName);
  return isInHeading || link.properties.href === undefined;
}

function linkTo(href: string, path: string, address: string): string {
  const { origin, pathname, hash } = new URL(href, `${address}${path}`);
  if (origin !== new URL(address).origin) return href;
  return `${address}${pathname}${isPage(pathname) ? ".md" : ""}${hash}`;
}
