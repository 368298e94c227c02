import { CAPABILITIES, SCOPES } from "@/server/core/capabilities";
import { type CommandDescription, describeCommands } from "@/server/ops/cli/commands";
import { describeVariables, type VariableDescription } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import {
  catalogueEntry,
  type ErrorCode,
  FAILURE_CODES,
  PUBLIC_CODES,
  type ResendAdvice,
} from "@/server/platform/errors";
import { POLICIES } from "@/server/adapters/limits/policies";
import { type Alert, ALERTS, alertRules } from "@/server/ops/metrics/alerts";
import { METRICS } from "@/server/adapters/metrics/catalogue";
import type { MetricDescription } from "@/server/adapters/metrics/description";
import { RECEIVE_LIMITS, type ReceiveLimits } from "@/server/domain/uploads/receive";
import { describeWebhooks, type WebhookDescription } from "@/server/domain/webhooks/describe";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { PERMISSION } from "@/server/adapters/whatsapp/number-codes";
import {
  failureCode,
  PERMISSION_CODES,
  UPSTREAM_CODES,
  upstreamOutcome,
} from "@/server/adapters/whatsapp/outcomes";
import type { UpstreamOutcome } from "@/server/adapters/whatsapp/upstream-code";
import { controlCalls } from "@/server/simulator/control";
import {
  documentedError,
  documentedErrorNames,
  type GraphErrorName,
  graphErrors,
} from "@/server/simulator/graph-errors";
import type { OutcomeBehaviour } from "@/server/simulator/outcome-row";
import { outcomes } from "@/server/simulator/outcomes";

/** An error code of the catalogue, as shown in the documentation. */
export interface DocumentedError {
  readonly code: ErrorCode;
  /** Null for a code that only a message can have. */
  readonly status: number | null;
  /** Where GET has another status. */
  readonly statusOfGet: number | null;
  readonly failsMessages: boolean;
  readonly message: string;
  readonly remedy: string;
  readonly resend: ResendAdvice;
  readonly resendAfterSeconds: number | null;
  /** Last digits of the simulated numbers to which a text fails with this code, within 15 minutes. */
  readonly simulatedBy: readonly string[];
}

/** The facts that the documentation is generated from, so that it can't contradict the program. */
export interface Documentation {
  /** Without a trailing slash. Null if only a request reveals the address of this process. */
  readonly publicUrl: string | null;
  /** Errors of requests with an API key, by status, then in the order of the catalogue. */
  readonly errors: readonly DocumentedError[];
  /** WhatsApp's error codes, with the code and the message that a failed message gets for each. */
  readonly upstreamCodes: readonly {
    /** A number or a range of numbers. */
    readonly code: string;
    readonly title: string;
    readonly error: ErrorCode;
    readonly said: string;
  }[];
  readonly variables: readonly VariableDescription[];
  readonly commands: readonly CommandDescription[];
  readonly buckets: readonly { readonly name: string; readonly limit: number; readonly covers: string }[];
  readonly scopes: readonly {
    readonly name: string;
    readonly description: string;
    readonly isDefault: boolean;
  }[];
  /** Rights of members, by role and by grant. */
  readonly rights: readonly {
    /** Text that follows "may". */
    readonly words: string;
    readonly roles: readonly string[];
    readonly isGrantable: boolean;
  }[];
  readonly metrics: readonly {
    readonly name: string;
    readonly help: string;
    readonly labels: readonly string[];
    /** True if every process reports the same value. */
    readonly isOfInstallation: boolean;
  }[];
  readonly alerts: readonly Alert[];
  /** All of the alerts, as a rule file for Prometheus. */
  readonly alertRules: string;
  readonly mediaTypes: readonly {
    readonly type: string;
    readonly sizeBytesMax: number;
    readonly mimeTypes: readonly string[];
  }[];
  /** Time limits for receiving the file of an upload. */
  readonly uploadTimes: Omit<ReceiveLimits, "bytesMax">;
  readonly simulated: readonly {
    readonly group: string;
    readonly suffix: string | null;
    readonly description: string;
    /** True if sending on the channel is paused afterwards. */
    readonly pausesChannel: boolean;
    /** True if sending the message's template, if it has one, stops afterwards. */
    readonly stopsTemplate: boolean;
  }[];
  /** The simulator's own API. A `path` has placeholders in braces. */
  readonly simulatorCalls: readonly {
    readonly method: string;
    readonly path: string;
    readonly description: string;
    readonly example: object | null;
    readonly isForAllNumbers?: true;
  }[];
  readonly webhooks: WebhookDescription;
  /** The upstream's errors, by the names that the simulator's API accepts. */
  readonly simulatorErrors: readonly {
    readonly name: string;
    readonly code: number;
    readonly title: string;
  }[];
}

export function documentation({ config }: Pick<Services, "config">): Documentation {
  return {
    publicUrl: config.publicUrl,
    errors: documentedErrors(),
    variables: describeVariables(),
    commands: describeCommands(),
    buckets: Object.entries(POLICIES).map(([name, { limitDefault, covers }]) => ({
      name,
      limit: limitDefault,
      covers,
    })),
    scopes: Object.entries(SCOPES).map(([name, scope]) => ({ name, ...scope })),
    rights: Object.values(CAPABILITIES).flatMap(({ words, roles, grantable }) =>
      words === null ? [] : [{ words, roles, isGrantable: grantable }],
    ),
    metrics: Object.entries<MetricDescription>(METRICS).map(([name, { help, labels, scope }]) => ({
      name,
      help,
      labels: Object.keys(labels),
      isOfInstallation: scope === "installation",
    })),
    alerts: ALERTS,
    alertRules: alertRules(),
    uploadTimes: RECEIVE_LIMITS,
    mediaTypes: Object.entries(MEDIA_TYPES).map(([type, limits]) => ({ type, ...limits })),
    upstreamCodes: [...Object.entries(UPSTREAM_CODES), [PERMISSION_RANGE, PERMISSION] as const].map(
      ([code, { title, error, said }]) => ({ code, title, error, said }),
    ),
    simulated: outcomes.map(({ group, suffix, description, behaviour }) => ({
      group,
      suffix,
      description,
      pausesChannel: outcomesOf(behaviour).some(({ retry }) => retry === "channel"),
      stopsTemplate: outcomesOf(behaviour).some(stopsTemplate),
    })),
    simulatorCalls: controlCalls,
    webhooks: describeWebhooks(),
    simulatorErrors: documentedErrorNames().map((name) => {
      const { code, title } = documentedError(name);
      return { name, code, title };
    }),
  };
}

const PERMISSION_RANGE = `${PERMISSION_CODES.first} to ${PERMISSION_CODES.last}`;

function outcomesOf(behaviour: OutcomeBehaviour): readonly UpstreamOutcome[] {
  return errorsOf(behaviour).flatMap((error) => upstreamOutcome(graphErrors[error].code) ?? []);
}

function stopsTemplate(outcome: UpstreamOutcome): boolean {
  if (outcome.retry !== "never") return false;
  return outcome.effect === "template_paused" || outcome.effect === "template_disabled";
}

/** Returns the upstream's errors that a message's outcome contains, whether in the response or in a status. */
function errorsOf(behaviour: OutcomeBehaviour): readonly GraphErrorName[] {
  if (behaviour.kind === "refuse") return [behaviour.error];
  if (behaviour.kind === "fail") return [];
  const { refusedFirst, statuses } = behaviour;
  const refusals = refusedFirst && "error" in refusedFirst ? [refusedFirst.error] : [];
  return [...refusals, ...statuses.flatMap(({ error }) => error ?? [])];
}

/** Returns the code that a message fails with. Null if it doesn't, or waits until it expires. */
function failureOf(behaviour: OutcomeBehaviour): ErrorCode | null {
  if (behaviour.kind === "fail") return behaviour.answer === "empty_429" ? null : UNCONFIRMED;
  if (behaviour.kind === "refuse") {
    const { code, httpStatus } = graphErrors[behaviour.error];
    const outcome = upstreamOutcome(code);
    if (outcome === null) return httpStatus < 500 ? failureCode(code) : UNCONFIRMED;
    return outcome.retry === "never" ? outcome.error : null;
  }
  const { answer, statuses } = behaviour;
  if (statuses.some(({ status }) => status === "delivered" || status === "read")) return null;
  const failed = statuses.find(({ status }) => status === "failed");
  if (failed) return failureCode(failed.error ? graphErrors[failed.error].code : null);
  return statuses.length === 0 && !answer.startsWith("message_id") ? UNCONFIRMED : null;
}

/** The call may have reached WhatsApp, and no status follows. */
const UNCONFIRMED = "upstream_unconfirmed" satisfies ErrorCode;

/** Sorts after all statuses. */
const NO_STATUS = 1000;

function documentedErrors(): readonly DocumentedError[] {
  return PUBLIC_CODES.map((code): DocumentedError => {
    const { status, statusOfGet = null, message, remedy, resend, resendAfterSeconds } = catalogueEntry(code);
    return {
      code,
      status,
      statusOfGet,
      failsMessages: FAILURE_CODES.includes(code),
      message,
      remedy,
      resend,
      resendAfterSeconds: resendAfterSeconds ?? null,
      simulatedBy: outcomes.flatMap(({ suffix, behaviour }) =>
        suffix !== null && failureOf(behaviour) === code ? [suffix] : [],
      ),
    };
  }).toSorted((a, b) => (a.status ?? NO_STATUS) - (b.status ?? NO_STATUS));
}
