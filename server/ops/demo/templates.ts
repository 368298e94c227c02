import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { submitTemplate } from "@/server/domain/templates/submit";
import { syncTemplates } from "@/server/domain/templates/sync";
import { channelsWithoutTemplates } from "./claim";
import type { Demo, DemoTemplate } from "./demo";
import { SimulatorRefused } from "./register";

/** By channel. The simulator decides about a template by the end of its name. */
const NAMES = {
  default: {
    approved: "order_update",
    pending: "order_update_pending",
    rejected: "order_update_rejected",
  },
  second: { approved: "offer_update" },
} as const satisfies Record<keyof Demo["channels"], Record<string, string>>;

const LANGUAGE = "en_US";
const VARIABLES = { "1": "Ana", "2": "A-1024" } as const;
const COMPONENTS = [
  {
    type: "BODY",
    text: "Hello {{1}}, your order {{2}} is on its way.",
    example: { body_text: [Object.values(VARIABLES)] },
  },
  { type: "FOOTER", text: "The demo shop" },
];

/**
 * Submits the demo's templates on its two channels, unless the upstream has them, and stores their states. Can be
 * repeated at any time.
 * @throws SimulatorRefused if the simulator doesn't accept or list them.
 */
export async function addDemoTemplates(
  ctx: Context<SystemActor>,
  channels: Demo["channels"],
): Promise<Record<keyof Demo["templates"], DemoTemplate>> {
  const onDefault = await addTemplates(ctx, channels.default, Object.values(NAMES.default));
  const onSecond = await addTemplates(ctx, channels.second, Object.values(NAMES.second));
  return {
    approved: onDefault(NAMES.default.approved),
    pending: onDefault(NAMES.default.pending),
    rejected: onDefault(NAMES.default.rejected),
    approved_on_second: onSecond(NAMES.second.approved),
  };
}

/** @returns the channel's template of a name. */
async function addTemplates(
  ctx: Context<SystemActor>,
  channelId: string,
  names: readonly string[],
): Promise<(name: string) => DemoTemplate> {
  await sync(ctx, channelId);
  const known = await submissions(ctx, channelId);
  for (const name of names.filter((candidate) => !known.has(candidate))) {
    const template = { name, language: LANGUAGE, category: "utility", components: COMPONENTS } as const;
    await submitTemplate({ ctx, input: { channelId, ...template } }).catch((error: unknown) => {
      throw new SimulatorRefused(`The simulator doesn't accept the template ${name}`, { cause: error });
    });
  }
  await sync(ctx, channelId);
  const ids = await submissions(ctx, channelId);
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new SimulatorRefused(`The simulator doesn't list the template ${name}`);
    return { template_submission_id: id, name, language: LANGUAGE, variables: VARIABLES };
  };
}

const CHANNELS_MAX = 100;

/**
 * Adds the templates of demo organizations that were created while no simulator ran, or before Waypost had templates.
 * The simulator must know their channels already. Never rejects: a failure is logged, and retried at the next start.
 */
export async function addMissingDemoTemplates(services: Services): Promise<void> {
  try {
    for (const place of ["default", "second"] as const) {
      const names = Object.values<string>(NAMES[place]);
      const channels = await channelsWithoutTemplates(services.orm, place, {
        templatesMin: names.length,
        rowsMax: CHANNELS_MAX,
      });
      for (const { id, organizationId } of channels) {
        const actor: SystemActor = { kind: "system", organizationId, job: "demo" };
        await addTemplates({ services, actor, requestId: null }, id, names);
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
