import type { Element, ElementContent, Properties, Root } from "hast";
import { isValidElement, type ReactNode } from "react";

/**
 * Renders a page to a tree of HTML elements, without the parts that need a browser. It calls the components itself,
 * because react-dom renders no server components: so a page has a single source, whatever it is shown as.
 */
export async function treeOf(page: ReactNode): Promise<Root> {
  return { type: "root", children: await nodesOf(page) };
}

async function nodesOf(node: unknown): Promise<ElementContent[]> {
  const value: unknown = await node;
  if (typeof value === "string" || typeof value === "number") return [{ type: "text", value: String(value) }];
  if (Array.isArray(value)) return (await Promise.all(value.map(nodesOf))).flat();
  if (!isValidElement<ElementProps>(value)) return [];
  const { type, props } = value;
  if (typeof type === "string") return [await elementOf(type, props)];
  if (isClientReference(type)) return props.href === undefined ? [] : [await elementOf("a", props)];
  if (typeof type === "function") return nodesOf(asFunction(type)(props));
  return nodesOf(props.children);
}

interface ElementProps {
  readonly children?: ReactNode;
  readonly href?: string;
  readonly id?: string;
  readonly className?: string;
  readonly "aria-label"?: string;
}

async function elementOf(tagName: string, props: ElementProps): Promise<Element> {
  const { href, id, className, "aria-label": label } = props;
  const properties: Properties = {
    ...(href === undefined ? {} : { href }),
    ...(id === undefined ? {} : { id }),
    ...(className === undefined ? {} : { className: className.split(" ") }),
    ...(label === undefined ? {} : { ariaLabel: label }),
  };
  return { type: "element", tagName, properties, children: await nodesOf(props.children) };
}

const CLIENT_REFERENCE = Symbol.for("react.client.reference");

/** True for a component of the browser, of which the server only has the name. */
function isClientReference(type: unknown): boolean {
  return typeof type === "function" && "$$typeof" in type && type.$$typeof === CLIENT_REFERENCE;
}

/** Guarantee: the pages' components are functions, and none is a class. */
function asFunction(type: Function): (props: ElementProps) => unknown {
  return type as (props: ElementProps) => unknown;
}
