import type { Services } from "@/server/core/context";
import type { MetricsMount, Readiness } from "@/server/transport/health";
import type { Repeated } from "@/server/core/queue/repeat";
import { startScrape } from "./scrape";
import { admitsBearer, findMetricsToken } from "./token";

/**
 * Opens the `/metrics` path. If the token can't be read or created, every request is refused and the log says why; the
 * process keeps working.
 */
export async function openMetricsMount(options: {
  services: Services;
  readiness: () => Promise<Readiness>;
  postgresRestarts: () => number;
}): Promise<MetricsMount & Repeated> {
  const { services, readiness, postgresRestarts } = options;
  const [scrape, admits] = await Promise.all([
    startScrape({ services, readiness, postgresRestarts }),
    admission(services),
  ]);
  return { contentType: services.metrics.contentType, admits, text: scrape.text, stop: scrape.stop };
}

async function admission({ config, log }: Services): Promise<MetricsMount["admits"]> {
  try {
    return admitsBearer(await findMetricsToken(config));
  } catch (error) {
    log.error({ err: error }, "there is no token for /metrics, so nobody may read them");
    return () => false;
  }
}
