import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { submitTemplate } from "@/server/domain/templates/submit";
import { syncTemplates } from "@/server/domain/templates/sync";
import { channelsWithoutTemplates } from "./claim";
import type { Demo, DemoTemplate } from "./demo";
import { showOnPhones } from "./phones";
import { SimulatorRefused } from "./register";

const LANGUAGE = "en_US";

interface Definition {
  readonly channel: keyof Demo["channels"];
  /** The simulator decides about a template by the end of its name. */
  readonly name: string;
  readonly category?: "marketing";
  readonly components: Record<string, unknown>[];
  readonly variables: Readonly<Record<string, string>>;
}

const orderUpdate = {
  components: [
    {
      type: "BODY",
      text: "Hello {{1}}, your order {{2}} is on its way.",
      example: { body_text: [["Ana", "A-1024"]] },
    },
    { type: "FOOTER", text: "The demo shop" },
  ],
  variables: { "1": "Ana", "2": "A-1024" },
};

const PICTURE_HEADER = {
  type: "HEADER",
  format: "IMAGE",
  example: { header_handle: ["4::aW1hZ2UvanBlZw=="] },
};

const DEFINITIONS: Readonly<Record<keyof Demo["templates"], Definition>> = {
  approved: { channel: "default", name: "order_update", ...orderUpdate },
  pending: { channel: "default", name: "order_update_pending", ...orderUpdate },
  rejected: { channel: "default", name: "order_update_rejected", ...orderUpdate },
  approved_with_buttons: {
    channel: "default",
    name: "parcel_arrived",
    components: [
      PICTURE_HEADER,
      {
        type: "BODY",
        text: "Hello {{1}}, your parcel has arrived.",
        example: { body_text: [["Ana"]] },
      },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", text: "Track", url: "https://shop.example.com/orders/{{1}}", example: ["A-1024"] },
          { type: "QUICK_REPLY", text: "It isn't here" },
        ],
      },
    ],
    variables: {
      "header.url": "https://shop.example.com/parcel.jpg",
      "1": "Ana",
      "button.0.1": "A-1024",
    },
  },
  approved_carousel: {
    channel: "default",
    name: "shop_news",
    category: "marketing",
    components: [
      { type: "BODY", text: "Hello {{1}}, this is new in the shop.", example: { body_text: [["Ana"]] } },
      {
        type: "CAROUSEL",
        cards: ["Lemon tree", "Olive tree"].map((product) => ({
          components: [
            PICTURE_HEADER,
            { type: "BODY", text: `${product}, now for {{1}} euros.`, example: { body_text: [["25"]] } },
            {
              type: "BUTTONS",
              buttons: [
                { type: "URL", text: "Show", url: "https://shop.example.com/{{1}}", example: ["lemon-tree"] },
              ],
            },
          ],
        })),
      },
    ],
    variables: {
      "1": "Ana",
      "card.0.header.url": "https://shop.example.com/lemon-tree.jpg",
      "card.0.1": "25",
      "card.0.button.0.1": "lemon-tree",
      "card.1.header.url": "https://shop.example.com/olive-tree.jpg",
      "card.1.1": "39",
      "card.1.button.0.1": "olive-tree",
    },
  },
  approved_on_second: { channel: "second", name: "offer_update", ...orderUpdate },
};

const definitionsOn = (channel: keyof Demo["channels"]) =>
  Object.values(DEFINITIONS).filter((definition) => definition.channel === channel);

/**
 * Submits the demo's templates on its two channels, unless the upstream has them, and stores their states. Can be
 * repeated at any time.
 * @throws SimulatorRefused if the simulator doesn't accept or list them.
 */
export async function addDemoTemplates(
  ctx: Context<SystemActor>,
  channels: Demo["channels"],
): Promise<Demo["templates"]> {
  const onDefault = await addTemplates(ctx, channels.default, definitionsOn("default"));
  const onSecond = await addTemplates(ctx, channels.second, definitionsOn("second"));
  const find = (key: keyof Demo["templates"]): DemoTemplate => {
    const { channel, name, variables } = DEFINITIONS[key];
    const id = (channel === "default" ? onDefault : onSecond).get(name);
    if (id === undefined) throw new SimulatorRefused(`The simulator doesn't list the template ${name}`);
    return { template_submission_id: id, name, language: LANGUAGE, variables };
  };
  return {
    approved: find("approved"),
    pending: find("pending"),
    rejected: find("rejected"),
    approved_with_buttons: find("approved_with_buttons"),
    approved_carousel: find("approved_carousel"),
    approved_on_second: find("approved_on_second"),
  };
}

/** @returns the ids of the channel's templates, by name. */
async function addTemplates(
  ctx: Context<SystemActor>,
  channelId: string,
  definitions: readonly Definition[],
): Promise<Map<string, string>> {
  await sync(ctx, channelId);
  const known = await submissions(ctx, channelId);
  for (const { name, components, category = "utility" } of definitions.filter(
    (definition) => !known.has(definition.name),
  )) {
    const template = { name, language: LANGUAGE, category, components } as const;
    await submitTemplate({ ctx, input: { channelId, ...template } }).catch((error: unknown) => {
      throw new SimulatorRefused(`The simulator doesn't accept the template ${name}`, { cause: error });
    });
  }
  await sync(ctx, channelId);
  return submissions(ctx, channelId);
}

const CHANNELS_MAX = 100;

/**
 * Adds what the simulator lacks of demo organizations that were created while none ran, or before Waypost had
 * templates: their templates, and the messages on their customers' phones. The simulator must know their channels
 * already. Never rejects: a failure is logged, and retried at the next start.
 */
export async function addMissingDemoTemplates(services: Services): Promise<void> {
  const simulatorUrl = services.urls.upstream("simulator");
  try {
    for (const place of ["default", "second"] as const) {
      const definitions = definitionsOn(place);
      const channels = await channelsWithoutTemplates(services.orm, place, {
        templatesMin: definitions.length,
        rowsMax: CHANNELS_MAX,
      });
      for (const { id, organizationId } of channels) {
        const actor: SystemActor = { kind: "system", organizationId, job: "demo" };
        const ctx = { services, actor, requestId: null };
        // First: the next start finds what is missing by the templates.
        if (simulatorUrl !== null) await showOnPhones(ctx, id, simulatorUrl);
        await addTemplates(ctx, id, definitions);
      }
    }
  } catch (error) {
    services.log.warn({ err: error }, "submitting the demo's templates failed");
  }
}

async function sync(ctx: Context<SystemActor>, channelId: string): Promise<void> {
  const synced = await syncTemplates({ ctx, input: { channelId } });
  if (synced.kind === "synced") return;
  throw new SimulatorRefused(`The simulator doesn't list its templates: ${synced.reason}`);
}

/** Ids of the channel's submissions, by name. */
async function submissions(ctx: Context<SystemActor>, channelId: string): Promise<Map<string, string>> {
  const rows = await ctx.services.sql<{ id: string; name: string }[]>`
    select id, name from templates
    where channel_id = ${channelId} and organization_id = ${ctx.actor.organizationId} and language = ${LANGUAGE}`;
  return new Map(rows.map((row) => [row.name, row.id]));
}
