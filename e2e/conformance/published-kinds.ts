import { asJson } from "@/e2e/support/contract";

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the kinds of content that the document lets a client send: the types, and for a type whose content is one of
 * several shapes, `interactive.list` and its neighbours.
 */
export function sentKinds(document: unknown): readonly string[] {
  return Object.entries(mappingOf(schemasOf(document).SendMessageRequest)).flatMap(([type, reference]) => {
    const { [type]: content } = asJson(resolved(document, reference).properties);
    const shapes = Object.keys(mappingOf(resolved(document, asJson(content).$ref)));
    return shapes.length === 0 ? [type] : shapes.map((shape) => `${type}.${shape}`);
  });
}

/** Returns the values that `content.type` of a customer's message can have. */
export function receivedKinds(document: unknown): readonly string[] {
  return Object.keys(mappingOf(asJson(schemasOf(document).InboundMessage.properties).content));
}

function mappingOf(schema: unknown): Json {
  return asJson(asJson(asJson(schema).discriminator).mapping);
}

function schemasOf(document: unknown): Readonly<Record<"SendMessageRequest" | "InboundMessage", Json>> {
  const schemas = asJson(asJson(asJson(document).components).schemas);
  return {
    SendMessageRequest: asJson(schemas.SendMessageRequest),
    InboundMessage: asJson(schemas.InboundMessage),
  };
}

function resolved(document: unknown, reference: unknown): Json {
  if (typeof reference !== "string") return {};
  const way = reference.replace(/^#\//, "").split("/");
  return asJson(way.reduce<unknown>((parent, part) => asJson(parent)[part], document));
}
