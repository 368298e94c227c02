import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { addEndpoint, PUBLIC_URL } from "@/server/domain/webhooks/testing";
import { createKey } from "@/server/domain/keys/create";
import { ENDINGS, newNumber } from "./support/send";
import { useSuite } from "./support/suite";

/** Texts that would run if they were treated as markup or as a URL. */
const FORMS = [
  `<img src=x onerror="window.ranMarkup='img'">`,
  `</script><script>window.ranMarkup='script'</script>`,
  `<svg onload=window.ranMarkup='svg'>`,
  `javascript:window.ranMarkup='address'`,
  `{{constructor.constructor("window.ranMarkup='template'")()}}`,
];
/** The name of a thing of that kind, short enough for each kind. */
const nameOf = (kind: string, form: string) => `${kind} ${form}`;

declare global {
  interface Window {
    ranMarkup?: string;
  }
}

const suite = useSuite();

/** Names that no request can create are stored where WhatsApp's own words would be. */
async function makeHostile(form: string) {
  const { world, api, key } = suite();
  const { ctx, services, demo } = world;
  const { organizationId } = ctx.actor;
  const handle = newNumber(ENDINGS.read);
  const to = { kind: "whatsapp", handle };
  await customerWrites(world.server.simulatorUrl, {
    phoneNumberId: demo.phone_number_ids.default,
    from: handle,
    body: nameOf("Question", form),
  });
  const contact = await until("the customer is known", async () => {
    const [row] = await services.sql<{ id: string }[]>`
      select contact_id as id from contact_identities
      where organization_id = ${organizationId} and handle = ${handle}`;
    return row?.id;
  });
  await services.sql`
    update contacts set name = ${nameOf("Contact", form)} where organization_id = ${organizationId} and id = ${contact}`;
  const send = async (json: object) => {
    const answer = await api.call({
      path: "/messages",
      key: key.secret,
      json: { client_message_id: `${nameOf("Id", form)} ${randomUUID()}`, to, ...json },
    });
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 201, code: null });
    return String(JSON.parse(answer.text).message_id);
  };
  const text = await send({ type: "text", text: { body: nameOf("Message", form) } });
  const media = {
    url: "https://8.8.8.8/file.pdf",
    mime_type: "application/pdf",
    filename: nameOf("File", form),
  };
  const file = await send({ type: "document", media, text: { body: nameOf("Caption", form) } });
  const { id: keyId } = await createKey({ ctx, input: { name: nameOf("Key", form) } });
  const webhook = await addEndpoint(ctx, { url: PUBLIC_URL, description: nameOf("Hook", form) });
  return { contact, text, file, key: keyId, webhook: webhook.id };
}

/** The organization's only channel and template that accept any name: until the next form. */
async function nameChannelAndTemplate(form: string) {
  const { services, demo, ctx } = suite().world;
  const { organizationId } = ctx.actor;
  const [channel] = await services.sql<{ id: string }[]>`
    update channels set name = ${nameOf("Channel", form)}
    where organization_id = ${organizationId} and id = ${demo.channels.second} returning id`;
  const [template] = await services.sql<{ id: string }[]>`
    update templates set name = ${nameOf("template", form)}, state_reason = ${nameOf("Reason", form)},
      components = ${services.sql.json([{ type: "BODY", text: nameOf("Text", form) }])}
    where organization_id = ${organizationId} and id = ${demo.templates.rejected.template_submission_id}
    returning id`;
  return { channel: channel?.id ?? "", template: template?.id ?? "" };
}

const made = new Map<string, Awaited<ReturnType<typeof makeHostile>>>();

beforeAll(async () => {
  // The organization's own name is on every page.
  const { ctx, services } = suite().world;
  const name = nameOf("Organization", FORMS[0] ?? "");
  await services.sql`update organizations set name = ${name} where id = ${ctx.actor.organizationId}`;
  for (const form of FORMS) made.set(form, await makeHostile(form));
});

/** Traces that would exist if any name had been treated as markup. */
const traces = (page: Page) =>
  page.evaluate(() => ({
    ran: window.ranMarkup ?? null,
    elements: document.querySelectorAll("img[src='x'], [onerror], svg[onload], [href^='javascript:' i]")
      .length,
    scripts: [...document.scripts].filter((script) => script.textContent.startsWith("window.ranMarkup"))
      .length,
  }));

const NO_TRACES = { ran: null, elements: 0, scripts: 0 };

/** Opens the page and waits until it shows these texts unchanged. @returns the traces of markup. */
async function tracesOn(path: string, texts: readonly string[]) {
  const { admin } = suite();
  await admin.go(path);
  await admin.page.getByRole("heading", { level: 1 }).first().waitFor();
  for (const text of texts) await admin.page.getByText(text).filter({ visible: true }).first().waitFor();
  return traces(admin.page);
}

test.each(FORMS)(
  "names and texts with %s are shown as they are on the pages of what bears them, and nothing runs",
  async (form) => {
    const ids = made.get(form);
    const { channel, template } = await nameChannelAndTemplate(form);
    const shown: readonly (readonly [path: string, ...texts: string[]])[] = [
      [`/messages/${ids?.text}`, nameOf("Message", form)],
      [`/messages/${ids?.file}`, nameOf("File", form)],
      [`/contacts/${ids?.contact}`, nameOf("Contact", form)],
      [`/keys/${ids?.key}`, nameOf("Key", form)],
      [`/webhooks/${ids?.webhook}`, nameOf("Hook", form)],
      ["/channels", nameOf("Channel", form)],
      [`/channels/${channel}`, nameOf("Channel", form)],
      ["/templates", nameOf("template", form)],
      [`/templates/${template}`, nameOf("Text", form)],
    ];
    for (const [path, ...texts] of shown) {
      expect({ path, ...(await tracesOn(path, texts)) }).toEqual({ path, ...NO_TRACES });
    }
  },
);

test.each([
  ["/messages", "Id"],
  ["/contacts", "Contact"],
  ["/keys", "Key"],
  ["/webhooks", "Hook"],
])("%s lists all of them as they are, and nothing runs", async (path, kind) => {
  const texts = FORMS.map((form) => nameOf(kind, form));
  expect(await tracesOn(path, texts)).toEqual(NO_TRACES);
});

test.each(["/webhooks/inbox", "/usage", "/audit", "/requests", "/settings"])(
  "nothing of them runs on %s",
  async (path) => {
    expect(await tracesOn(path, [])).toEqual(NO_TRACES);
  },
);
