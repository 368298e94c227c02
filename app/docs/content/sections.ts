import type { ElementContent, Root } from "hast";
import { pageTitle } from "../parts/pages";
import type { Section } from "../parts/search";

/** Headings that begin a section. Smaller ones are part of it. */
const HEADINGS = /^h[1-3]$/;
/** Code would only repeat the names that the text explains. */
const LEFT_OUT = new Set(["pre", "nav", "fieldset"]);

/** Elements that no space follows. */
const INLINE = new Set(["a", "code", "em", "kbd", "span", "strong"]);

/** Splits a page into its sections. @param path of the page */
export function sectionsOf(tree: Root, path: string): readonly Section[] {
  const page = pageTitle(path);
  const sections: { href: string; title: string; text: string[] }[] = [];
  const visit = (node: Root["children"][number]): void => {
    if (node.type === "text") sections.at(-1)?.text.push(node.value);
    if (node.type !== "element" || LEFT_OUT.has(node.tagName)) return;
    const { id } = node.properties;
    if (node.tagName === "h1") sections.push({ href: path, title: textIn(node), text: [] });
    else if (HEADINGS.test(node.tagName) && id !== undefined)
      sections.push({ href: `${path}#${id}`, title: textIn(node), text: [] });
    else if (node.tagName === "tr" && id !== undefined) addRow(node.children, id);
    else {
      node.children.forEach(visit);
      if (!INLINE.has(node.tagName)) sections.at(-1)?.text.push(" ");
    }
  };
  // A row that can be linked to is a section within another, whose text goes on after it.
  const addRow = ([first, ...others]: readonly ElementContent[], id: string) => {
    const after = sections.at(-1);
    const text = others.map((cell) => textIn(cell)).join(" ");
    const row = { href: `${path}#${id}`, title: first ? textIn(first) : id, text: [text] };
    sections.splice(after ? -1 : sections.length, 0, row);
  };
  tree.children.forEach(visit);
  return sections.map(({ text, ...section }) => ({
    ...section,
    page,
    text: text.join("").replace(/\s+/g, " ").trim(),
  }));
}

function textIn(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textIn).join("") : "";
}
