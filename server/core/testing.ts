import type { Concurrency, Lifecycle, Services } from "./context";
import type { ServiceUrls } from "./service-urls";

interface Changes extends Partial<Omit<Services, "concurrency" | "lifecycle" | "urls">> {
  readonly concurrency?: Partial<Concurrency>;
  readonly lifecycle?: Partial<Lifecycle>;
  readonly urls?: Partial<ServiceUrls>;
}

/** Returns a copy of the services with other members. Of a group, such as `lifecycle`, only the given members change. */
export function servicesWith(
  services: Services,
  { concurrency, lifecycle, urls, ...changes }: Changes,
): Services {
  return {
    ...services,
    ...changes,
    concurrency: { ...services.concurrency, ...concurrency },
    lifecycle: { ...services.lifecycle, ...lifecycle },
    urls: { ...services.urls, ...urls },
  };
}
