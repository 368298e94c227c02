import { asFields, listOfFields, type Fields } from "./fields";
import { locationOf, mediaOf, type Bubble, type ShownButton } from "./phone-bubble";
import { componentOf, type Template, type TemplateButton, type TemplateComponent } from "./templates";

/** Meta writes the text of an authentication template itself. */
const authenticationText = "{{1}} is your verification code.";

/**
 * Renders a template as the customer sees it, with the parameters of one message. A variable without a parameter stays
 * as it is written. A template that no longer exists is shown by its name.
 */
export function templateBubble(template: Template | null, content: Fields): Bubble {
  if (template === null) return { text: `(template ${String(content.name)})` };
  return partsBubble(template.components, listOfFields(content.components));
}

type Components = readonly TemplateComponent[];

function partsBubble(components: Components, given: readonly Fields[]): Bubble {
  const body = componentOf(components, "BODY");
  const footer = componentOf(components, "FOOTER")?.text;
  const buttons = componentOf(components, "BUTTONS")?.buttons;
  const cards = componentOf(components, "CAROUSEL")?.cards;
  const givenCards = listOfFields(givenOf(given, "carousel")?.cards);
  return {
    ...headerBubble(components, parametersOf(givenOf(given, "header"))),
    ...(body && { text: filled(body.text ?? authenticationText, parametersOf(givenOf(given, "body"))) }),
    ...(footer !== undefined && { footer }),
    ...(buttons && { buttons: buttons.map((button, index) => shownButton(button, buttonOf(given, index))) }),
    ...(cards && {
      cards: cards.map((card, index) => {
        const found = givenCards.find(({ card_index }) => Number(card_index) === index);
        return partsBubble(card.components, listOfFields(found?.components));
      }),
    }),
  };
}

function headerBubble(components: Components, parameters: readonly Fields[]): Bubble {
  const header = componentOf(components, "HEADER");
  if (header === null) return {};
  if (header.format === "TEXT") return { header: filled(header.text ?? "", parameters) };
  const kind = header.format.toLowerCase();
  const value = asFields(parameters[0]?.[kind]) ?? {};
  return header.format === "LOCATION" ? { location: locationOf(value) } : { media: mediaOf(kind, value) };
}

function shownButton(button: TemplateButton, parameters: readonly Fields[]): ShownButton {
  const title = button.text ?? "";
  const [parameter] = parameters;
  switch (button.type) {
    case "QUICK_REPLY":
      return { kind: "reply", answer: "button", title, id: textOf(parameter?.payload) ?? title };
    case "URL":
      return { kind: "url", title, value: filled(button.url ?? "", parameters) };
    case "PHONE_NUMBER":
      return { kind: "call", title, value: button.phone_number ?? "" };
    case "COPY_CODE":
      return { kind: "copy", title: title || "Copy offer code", value: textOf(parameter?.coupon_code) ?? "" };
    case "OTP":
      return { kind: "copy", title: title || "Copy code", value: textOf(parameter?.text) ?? "" };
    case "FLOW":
    case "VOICE_CALL":
    case "CATALOG":
    case "REQUEST_CONTACT_INFO":
      return { kind: "other", title: title || button.type.toLowerCase().replaceAll("_", " ") };
  }
}

function givenOf(given: readonly Fields[], type: string): Fields | undefined {
  return given.find((component) => String(component.type).toLowerCase() === type);
}

function buttonOf(given: readonly Fields[], index: number): Fields[] {
  const found = given.find(
    (component) => String(component.type).toLowerCase() === "button" && Number(component.index) === index,
  );
  return parametersOf(found);
}

function parametersOf(component: Fields | undefined): Fields[] {
  return listOfFields(component?.parameters);
}

/** Fills the variables by the name of their parameter, or by its place. */
function filled(text: string, parameters: readonly Fields[]): string {
  return text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (whole, name: string) => {
    const parameter =
      parameters.find(({ parameter_name }) => parameter_name === name) ?? parameters[Number(name) - 1];
    return parameter === undefined ? whole : (valueOf(parameter) ?? whole);
  });
}

/** A currency and a date have a text for phones that can't format them. */
function valueOf({ type, ...parameter }: Fields): string | null {
  const { text, fallback_value } = asFields(parameter[String(type)]) ?? {};
  return textOf(parameter.text) ?? textOf(fallback_value) ?? textOf(text);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
