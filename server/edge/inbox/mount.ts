import { newId } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { pageErrorResponse } from "@/server/transport/page-error";
import { streamOf } from "@/server/transport/body";
import { INBOX_PATH } from "@/server/core/service-urls";
import { receiveWebhook } from "./receive";

/** `POST /api/demo/inbox/<organization>`: Waypost's own endpoint for the webhooks of its demo. */
export function inboxMount(services: Services) {
  return async (request: Request): Promise<Response> => {
    try {
      if (request.method !== "POST") {
        throw new WaypostError("method_not_allowed", { headers: { Allow: "POST" } });
      }
      const organizationId = new URL(request.url).pathname.slice(INBOX_PATH.length + 1);
      await receiveWebhook(services, organizationId, {
        header: (name) => request.headers.get(name),
        body: () => streamOf(request),
      });
      return new Response(null, { status: 204 });
    } catch (error) {
      return pageErrorResponse(services, newId(), error);
    }
  };
}
