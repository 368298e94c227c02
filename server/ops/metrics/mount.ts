import type { Services } from "@/server/core/context";
import type { MetricsMount, Readiness } from "@/server/transport/health";
import type { Repeated } from "@/server/core/queue/repeat";
import { startScrape } from "./scrape";
import { admitsBearer, findMetricsToken } from "./token";

/**
 * What the server answers at `/metrics`. Without a token that could be read or made nobody is let in, and the log says
 * why; the process works.
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
