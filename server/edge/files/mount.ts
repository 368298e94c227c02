import { newId } from "@/db/schema";
import type { Context, Services } from "@/server/core/context";
import { openConversationFile } from "@/server/domain/customer-files/open-file";
import { createUpload } from "@/server/domain/uploads/create";
import { checkDeclaredFile, incomingFile } from "@/server/edge/public/file";
import { callerOf } from "@/server/edge/trpc/mount";
import { PICTURE_TYPES } from "@/server/lib/picture-types";
import { WaypostError } from "@/server/platform/errors";
import { streamOf } from "@/server/transport/body";
import { bodyOf, fileHeaders } from "@/server/transport/file-answer";
import { pageErrorResponse } from "@/server/transport/page-error";
import { requireSameOrigin } from "@/server/transport/same-origin";

export const FILES_PATH = "/api/files";

/**
 * Files for pages, authorized by the session cookie. The organization is in the URL, because an image has no headers.
 * `GET /api/files/<message_id>?organization=<id>`: the file of a message in a conversation, streamed.
 * `POST /api/files?organization=<id>`: takes a file to send, as the public API does, from this server's pages only.
 */
export function filesMount(services: Services) {
  return async (request: Request, address: string | null): Promise<Response> => {
    const requestId = newId();
    try {
      requireSameOrigin(request, services.config.publicUrl);
      const { pathname, searchParams } = new URL(request.url);
      const messageId = pathname.slice(FILES_PATH.length + 1);
      const act = messageId === "" ? actionsOfAll[request.method] : actionsOfOne[request.method];
      if (act === undefined) {
        throw new WaypostError("method_not_allowed", {
          headers: { Allow: messageId === "" ? "POST" : "GET" },
        });
      }
      const organizationId = searchParams.get("organization");
      const caller = await callerOf(services, request.headers, { organizationId, requestId, address });
      if (!caller.person) throw new WaypostError("not_signed_in");
      if (caller.actor === null) throw new WaypostError("organization_not_found");
      const response = await act({ ...caller, actor: caller.actor }, request, messageId);
      response.headers.set("Cache-Control", "no-store");
      response.headers.set("X-Request-Id", requestId);
      return response;
    } catch (error) {
      return pageErrorResponse(services, requestId, error);
    }
  };
}

type Act = (ctx: Context, request: Request, messageId: string) => Promise<Response>;

const actionsOfOne: Readonly<Record<string, Act>> = {
  async GET(ctx, _, messageId) {
    const { media, file } = await openConversationFile({ ctx, input: { id: messageId } });
    const { mime_type: mimeType, filename } = media;
    const disposition = PICTURE_TYPES.has(mimeType) ? "inline" : "attachment";
    const headers = fileHeaders({ file, mimeType, filename, fallbackName: messageId }, disposition);
    return new Response(bodyOf(file), { headers });
  },
};

const actionsOfAll: Readonly<Record<string, Act>> = {
  async POST(ctx, request) {
    checkDeclaredFile(request.headers.get("content-length") ?? undefined);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const file = incomingFile({ header, body: () => streamOf(request) });
    return Response.json(await createUpload({ ctx, input: { file } }), { status: 201 });
  },
};
