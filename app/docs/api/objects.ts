import { type ApiDocument, nameOf, operationsOf, type Schema } from "./document";

/** The schema of every event, whose section lists the events by type. */
export const EVENT = "Event";

/**
 * Returns the names of the objects that have a section of their own: the ones in answers and events that are part of
 * others, or that several operations answer, and those among which a field of a request chooses. The rest is shown where
 * it is used.
 */
export function objectNames(document: ApiDocument): readonly string[] {
  const { schemas } = document.components;
  const events = Object.values(schemas[EVENT]?.discriminator?.mapping ?? {}).map((ref) =>
    nameOf({ $ref: ref }),
  );
  const answers = operationsOf(document).map(({ operation }) => new Set(answersOf(operation.responses)));
  const ofOne = (name: string) => answers.filter((names) => names.has(name)).length === 1;
  const partOf = new Map<string, Set<string>>();
  const visit = (name: string) => {
    if (partOf.has(name)) return;
    const parts = referencesIn(schemas[name]);
    partOf.set(name, parts);
    for (const part of parts) visit(part);
  };
  for (const name of [...answers.flatMap((names) => [...names]), EVENT]) visit(name);
  const parts = new Set([...partOf.values()].flatMap((names) => [...names]));
  const choices = choicesOfFields(document);
  return Object.keys(schemas).filter(
    (name) =>
      choices.has(name) ||
      (partOf.has(name) &&
        name !== EVENT &&
        !events.includes(name) &&
        schemas[name]?.type === "object" &&
        (parts.has(name) || !ofOne(name))),
  );
}

/** Returns the alternatives of each union that is no body by itself. */
function choicesOfFields(document: ApiDocument): ReadonlySet<string> {
  const bodies = new Set(
    operationsOf(document).map(({ operation }) =>
      nameOf(operation.requestBody?.content["application/json"]?.schema ?? {}),
    ),
  );
  const unions = Object.entries(document.components.schemas).filter(
    ([name]) => name !== EVENT && !bodies.has(name),
  );
  return new Set(unions.flatMap(([, { oneOf = [] }]) => oneOf.flatMap((one) => nameOf(one) ?? [])));
}

function answersOf(responses: ApiDocument["paths"][string][string]["responses"]): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => status < "300")
    .flatMap(([, { content = {} }]) => Object.values(content))
    .flatMap(({ schema }) => nameOf(schema) ?? []);
}

/** Returns the names of the schemas that a part of the document refers to. */
function referencesIn(part: Schema | undefined): Set<string> {
  const names = JSON.stringify(part ?? {}).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  return new Set([...names].map(([, name = ""]) => name));
}
