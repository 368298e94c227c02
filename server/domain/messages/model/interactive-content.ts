import { z } from "zod";
import { isPlainUrl } from "@/server/adapters/outbound/vet-url";
import { isBlank } from "@/server/lib/text";
import { limitedText, visibleText } from "./limited-text";

/** Meta's limits of interactive messages. Texts in Unicode code points. */
const LIMITS = {
  body: 1024,
  listBody: 4096,
  header: 60,
  footer: 60,
  buttons: 3,
  buttonId: 256,
  buttonTitle: 20,
  sections: 10,
  sectionTitle: 24,
  rows: 10,
  rowId: 200,
  rowTitle: 24,
  rowDescription: 72,
  url: 2000,
} as const;

const body = (max: number) => visibleText(max, `Text of the message, 1 to ${max} characters, not blank`);
const header = visibleText(LIMITS.header, "Title above the text").nullish();
const footer = visibleText(LIMITS.footer, "Small text below the text").nullish();

/** An element's property that must differ from that of every element before. */
interface Unique<T> {
  readonly name: string;
  readonly of: (element: T) => string;
  readonly path: (element: T) => readonly (string | number)[];
}

/** Reports the first element that repeats a property of an earlier one. */
function refuseRepeated<T>(
  issues: z.core.$RefinementCtx,
  elements: readonly T[],
  { name, of, path }: Unique<T>,
): void {
  const seen = new Set<string>();
  for (const element of elements) {
    const value = of(element);
    if (seen.has(value)) {
      issues.addIssue({
        code: "custom",
        path: [...path(element)],
        message: `must differ from every other ${name} of the message`,
      });
      return;
    }
    seen.add(value);
  }
}

const ownId = (max: number, of: "button" | "row") =>
  visibleText(
    max,
    `Your own id of the ${of}, without a space at its beginning or end. The customer's answer contains it`,
  ).refine((id) => id.trim() === id, { error: "must not begin or end with a space" });

const button = z.strictObject({
  id: ownId(LIMITS.buttonId, "button"),
  title: visibleText(LIMITS.buttonTitle, "Text on the button"),
});

const buttons = z
  .array(button)
  .min(1, "must have at least 1 button")
  .max(LIMITS.buttons, `must have at most ${LIMITS.buttons} buttons`)
  .superRefine((list, issues) => {
    const numbered = list.map((one, index) => ({ ...one, index }));
    refuseRepeated(issues, numbered, {
      name: "button id",
      of: ({ id }) => id,
      path: ({ index }) => [index, "id"],
    });
    refuseRepeated(issues, numbered, {
      name: "button title",
      of: ({ title }) => title,
      path: ({ index }) => [index, "title"],
    });
  });

const row = z.strictObject({
  id: ownId(LIMITS.rowId, "row"),
  title: visibleText(LIMITS.rowTitle, "Text of the row"),
  description: limitedText(LIMITS.rowDescription, "Small text below the title").nullish(),
});

const section = z.strictObject({
  title: limitedText(
    LIMITS.sectionTitle,
    "Title of the section. Required, and not blank, if the list has several sections",
  ).nullish(),
  rows: z.array(row).min(1, "must have at least 1 row"),
});

const sections = z
  .array(section)
  .min(1, "must have at least 1 section")
  .max(LIMITS.sections, `must have at most ${LIMITS.sections} sections`)
  .superRefine((list, issues) => {
    const untitled = list.findIndex(({ title }) => isBlank(title ?? ""));
    if (list.length > 1 && untitled !== -1) {
      const message = "is required if there are several sections, and must not be blank";
      issues.addIssue({ code: "custom", path: [untitled, "title"], message });
    }
    const rows = list.flatMap((one, position) =>
      one.rows.map(({ id }, index) => ({ id, path: [position, "rows", index] as const })),
    );
    const excess = rows[LIMITS.rows];
    if (excess) {
      const message = `must not exist: all sections together have at most ${LIMITS.rows} rows`;
      issues.addIssue({ code: "custom", path: [...excess.path], message });
    }
    refuseRepeated(issues, rows, { name: "row id", of: ({ id }) => id, path: ({ path }) => [...path, "id"] });
  });

const webAddress = limitedText(LIMITS.url, "The http or https URL that the button opens, without credentials")
  .refine(isPlainUrl, { error: "must be an http or https URL, without credentials or spaces" })
  .meta({ format: "uri" });

const asButtons = z
  .strictObject({
    type: z.literal("buttons"),
    body: body(LIMITS.body),
    header,
    footer,
    buttons: buttons.meta({
      description: "Up to three buttons. No id and no title may occur twice",
      minItems: 1,
      maxItems: LIMITS.buttons,
    }),
  })
  .meta({ id: "InteractiveButtons", description: "A text with buttons that answer it" });

const asList = z
  .strictObject({
    type: z.literal("list"),
    body: body(LIMITS.listBody),
    header,
    footer,
    button: visibleText(LIMITS.buttonTitle, "Text on the button that opens the list"),
    sections: sections.meta({
      description: `The rows to choose from, at most ${LIMITS.rows} in all sections. No row id may occur twice`,
      minItems: 1,
      maxItems: LIMITS.sections,
    }),
  })
  .meta({ id: "InteractiveList", description: "A text with a list, of which the customer chooses one row" });

const asLink = z
  .strictObject({
    type: z.literal("cta_url"),
    body: body(LIMITS.body),
    header,
    footer,
    text: visibleText(LIMITS.buttonTitle, "Text on the button"),
    url: webAddress,
  })
  .meta({ id: "InteractiveUrl", description: "A text with a button that opens a web page" });

const asLocationRequest = z
  .strictObject({ type: z.literal("location_request"), body: body(LIMITS.body) })
  .meta({ id: "InteractiveLocationRequest", description: "A text with a button that sends a location" });

/** The content of type interactive. `type` selects the other fields. */
export const interactiveContent = z
  .discriminatedUnion("type", [asButtons, asList, asLink, asLocationRequest])
  .meta({
    id: "InteractiveObject",
    description:
      "A text that the customer answers by a touch. `type` determines the other fields. The answer to buttons and lists " +
      "arrives as a message with `content.reply`",
    discriminator: {
      propertyName: "type",
      mapping: {
        buttons: "#/components/schemas/InteractiveButtons",
        list: "#/components/schemas/InteractiveList",
        cta_url: "#/components/schemas/InteractiveUrl",
        location_request: "#/components/schemas/InteractiveLocationRequest",
      },
    },
  });
