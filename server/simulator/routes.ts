import type { IncomingMessage, ServerResponse } from "node:http";
import { createHmac } from "node:crypto";
import {
  deleteSubscribedApps,
  getDebugToken,
  getPhoneNumbers,
  getSubscribedApps,
  postSubscribedApps,
} from "./account-routes";
import { followClock, getClock, postClock } from "./clock-routes";
import { deleteMediaNow, postStatuses, putFailure, putNumbers, putTemplateState } from "./control";
import { putFaults } from "./faults";
import { sendGraphError, sendJson, sendControlError, accessToken, queryOf, readFields } from "./http";
import { postInbound } from "./inbound";
import { getMediaBytes, getPhone, postRead, putNextOutcome } from "./phone-routes";
import { sendLedger } from "./ledger";
import { downloadMedia, downloadPath } from "./media-download";
import { deleteMedia, getMedia, postMedia } from "./media-routes";
import { putMediaHosts } from "./linked-media";
import { receiveMessage } from "./receive-message";
import type { SimulatorContext } from "./simulator-context";
import { deleteTemplates, getTemplates, postTemplate } from "./template-routes";
import { numberFields, numberNode } from "./number-node";
import { type PhoneNumber, callerError } from "./numbers";

const INVALID_PROOF = "Invalid appsecret_proof provided in the API argument";

interface Call {
  readonly context: SimulatorContext;
  /** The id in the path. Empty if there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Route {
  /** True for one of Meta's paths: errors have Meta's format. */
  readonly isGraph: boolean;
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, (call: Call) => Promise<void> | void>>;
}

/** Matches `/v{N}.{M}/{id}/{edge}`, or `/v{N}.{M}/{id}`. The version may be absent. */
function graphPath(edge?: string): RegExp {
  return new RegExp(`^(?:/v\\d{1,3}\\.\\d{1,2})?/(\\d{1,32})${edge === undefined ? "" : `/${edge}`}/?$`);
}

/** Meta's paths begin with a version or with an id. The simulator's own paths don't. */
const graphPrefix = /^\/[v\d]/;

const routes: readonly Route[] = [
  {
    isGraph: true,
    path: graphPath("messages"),
    methods: { POST: ({ context, id, request, response }) => receiveMessage(context, id, request, response) },
  },
  {
    isGraph: true,
    path: graphPath("media"),
    methods: { POST: ({ context, id, request, response }) => postMedia(context, id, request, response) },
  },
  {
    isGraph: true,
    path: graphPath("message_templates"),
    methods: {
      GET: ({ context, id, query, request, response }) => getTemplates(context, id, query, request, response),
      POST: ({ context, id, request, response }) => postTemplate(context, id, request, response),
      DELETE: ({ context, id, query, request, response }) =>
        deleteTemplates(context, id, query, request, response),
    },
  },
  {
    isGraph: true,
    path: graphPath("phone_numbers"),
    methods: {
      GET: ({ context, id, query, request, response }) =>
        getPhoneNumbers(context, id, query, request, response),
    },
  },
  {
    isGraph: true,
    path: graphPath("subscribed_apps"),
    methods: {
      GET: ({ context, id, request, response }) => getSubscribedApps(context, id, request, response),
      POST: ({ context, id, request, response }) => postSubscribedApps(context, id, request, response),
      DELETE: ({ context, id, request, response }) => deleteSubscribedApps(context, id, request, response),
    },
  },
  {
    isGraph: true,
    path: /^\/v\d{1,3}\.\d{1,2}\/debug_token\/?$/,
    methods: {
      GET: ({ context, query, request, response }) => getDebugToken(context, query, request, response),
    },
  },
  {
    isGraph: true,
    path: graphPath(),
    methods: {
      GET: ({ context, id, query, request, response }) => {
        const media = context.media.get(id);
        if (media !== null) getMedia(context, media, request, response);
        else getPhoneNumber(context, id, query, request, response);
      },
      DELETE: ({ context, id, request, response }) => deleteMedia(context, id, request, response),
    },
  },
  {
    isGraph: true,
    path: new RegExp(`^${downloadPath}?$`),
    methods: {
      GET: ({ context, query, request, response }) => downloadMedia(context, query, request, response),
    },
  },
  {
    isGraph: false,
    path: /^\/ledger$/,
    methods: {
      GET: ({ context, query, response }) =>
        sendLedger(context.journal, query.get("phone_number_id"), response),
    },
  },
  {
    isGraph: false,
    path: /^\/clock$/,
    methods: {
      GET: ({ context, response }) => getClock(context, response),
      POST: ({ context, request, response }) => postClock(context, request, response),
    },
  },
  {
    isGraph: false,
    path: /^\/clock\/follow$/,
    methods: { POST: ({ context, request, response }) => followClock(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/numbers$/,
    methods: { PUT: ({ context, request, response }) => putNumbers(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/numbers\/(\d{1,32})\/failure$/,
    methods: { PUT: ({ context, id, request, response }) => putFailure(context, id, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/faults$/,
    methods: {
      GET: ({ context, response }) => sendJson(response, 200, context.faults.current),
      PUT: ({ context, request, response }) => putFaults(context, request, response),
    },
  },
  {
    isGraph: false,
    path: /^\/simulator\/media-hosts$/,
    methods: { PUT: ({ context, request, response }) => putMediaHosts(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/templates\/state$/,
    methods: { PUT: ({ context, request, response }) => putTemplateState(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/media\/(\d{1,32})$/,
    methods: {
      GET: ({ context, id, query, response }) => getMediaBytes(context, { id, query }, response),
      DELETE: ({ context, id, response }) => deleteMediaNow(context, id, response),
    },
  },
  {
    isGraph: false,
    path: /^\/simulator\/statuses$/,
    methods: { POST: ({ context, request, response }) => postStatuses(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/inbound$/,
    methods: { POST: ({ context, request, response }) => postInbound(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/phone$/,
    methods: { GET: ({ context, query, response }) => getPhone(context, query, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/phone\/read$/,
    methods: { POST: ({ context, request, response }) => postRead(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/next-outcome$/,
    methods: { PUT: ({ context, request, response }) => putNextOutcome(context, request, response) },
  },
  {
    isGraph: false,
    path: /^\/simulator\/owed$/,
    methods: { GET: ({ context, response }) => sendJson(response, 200, context.dispatcher.counts()) },
  },
];

/**
 * Handles one request: with Graph errors on Graph paths, with the simulator's own on the others. Rejects only because
 * of a bug.
 */
export async function route(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?", 1);
  for (const candidate of routes) {
    const match = candidate.path.exec(path);
    if (match === null) continue;
    const handler = Object.hasOwn(candidate.methods, request.method ?? "")
      ? candidate.methods[request.method ?? ""]
      : undefined;
    if (handler === undefined) return refuseMethod(candidate, response);
    await handler({ context, id: match[1] ?? "", query: queryOf(request), request, response });
    return;
  }
  if (graphPrefix.test(path)) sendGraphError(response, { error: "path_unknown" });
  else sendControlError(response, 404, "there is nothing at this path");
}

function refuseMethod(candidate: Route, response: ServerResponse): void {
  const allowed = Object.keys(candidate.methods).join(", ");
  response.setHeader("allow", allowed);
  if (candidate.isGraph) sendGraphError(response, { error: "object_unknown" });
  else sendControlError(response, 405, `this path takes ${allowed}`);
}

/** `GET /v{N}.{M}/{phone_number_id}?fields=a,b`. `id` is always included. Can be used to test the token. */
function getPhoneNumber(
  context: SimulatorContext,
  phoneNumberId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const number = context.numbers.get(phoneNumberId);
  const error = callerError(context, number, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  if (number === null) return sendGraphError(response, { error: "object_unknown" });
  if (!isProved(number, query.get("appsecret_proof"))) {
    return sendGraphError(response, { error: "parameter_invalid", message: INVALID_PROOF });
  }
  const asked = readFields(query, { nodeType: "WhatsAppBusinessPhoneNumber", fields: numberFields });
  if ("error" in asked) return sendGraphError(response, asked.error);
  sendJson(response, 200, asked.show(numberNode(context, number)));
}

/** If a call contains a proof of the app secret, Meta checks it against the token. */
function isProved({ access_token, app_secret }: PhoneNumber, proof: string | null): boolean {
  return proof === null || proof === createHmac("sha256", app_secret).update(access_token).digest("hex");
}
