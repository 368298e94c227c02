import { documentedError, documentedErrorNames } from "@/server/simulator/graph-errors";
import { outcomes } from "@/server/simulator/outcomes";

/** The final state of a message for an integrator, and the number of calls to the upstream. */
export interface Expected {
  readonly state: "queued" | "sent" | "delivered" | "read" | "failed";
  readonly code: string | null;
  readonly resend: "safe" | "later" | "never" | "may_duplicate" | null;
  /** Exactly that many calls; or at least that many, if more follow while it waits. */
  readonly calls: number | { readonly atLeast: number };
  /** Why the channel is paused afterwards; null if it isn't. */
  readonly pause: string | null;
}

export interface ExpectedRow extends Expected {
  readonly name: string;
  readonly suffix: string;
}

/**
 * The outcome of each of Meta's error codes (130497, of one country, fails its message only). This table deliberately
 * repeats the program's own, to check it. `async`: the code of a message that fails through a `failed` status.
 */
const PASSES = { refused: "waits", async: "upstream_unavailable", resend: "safe" } as const;
const pauses = (pause: string) =>
  ({ refused: "pauses", pause, async: "channel_unavailable", resend: "later" }) as const;
const fails = (code: string, resend: "never" | "later" = "never") =>
  ({ refused: "fails", async: code, resend }) as const;

type Rule = typeof PASSES | ReturnType<typeof pauses> | ReturnType<typeof fails>;

const RULES: Readonly<Record<number, Rule>> = {
  0: pauses("credentials_invalid"),
  190: pauses("credentials_invalid"),
  3: pauses("permission_missing"),
  10: pauses("permission_missing"),
  200: pauses("permission_missing"),
  299: pauses("permission_missing"),
  131005: pauses("permission_missing"),
  4: PASSES,
  80007: PASSES,
  130429: PASSES,
  131056: PASSES,
  131048: pauses("spam_limited"),
  131064: pauses("spam_limited"),
  1: PASSES,
  2: PASSES,
  131000: PASSES,
  131016: PASSES,
  133004: PASSES,
  131057: PASSES,
  131042: pauses("payment_required"),
  368: pauses("policy_blocked"),
  131031: pauses("account_locked"),
  131045: pauses("number_not_registered"),
  133010: pauses("number_not_registered"),
  133006: pauses("number_not_registered"),
  100: fails("upstream_rejected"),
  33: fails("upstream_rejected"),
  131008: fails("upstream_rejected"),
  131009: fails("upstream_rejected"),
  135000: fails("upstream_rejected"),
  131021: fails("upstream_rejected"),
  131026: fails("undeliverable"),
  130497: fails("recipient_not_allowed"),
  131030: fails("upstream_rejected"),
  131047: fails("outside_customer_window", "later"),
  131049: fails("engagement_limited", "later"),
  131050: fails("recipient_opted_out"),
  130403: fails("recipient_blocked"),
  130472: fails("engagement_limited", "later"),
  131051: fails("upstream_rejected"),
  131052: fails("invalid_media"),
  131053: fails("invalid_media"),
  131062: fails("upstream_rejected"),
  132000: fails("template_variables_mismatch"),
  132012: fails("template_variables_mismatch"),
  132018: fails("template_variables_mismatch"),
  132005: fails("template_variables_mismatch"),
  132001: fails("template_not_approved"),
  132007: fails("template_not_approved"),
  132015: fails("template_not_approved"),
  132016: fails("template_not_approved"),
  137000: fails("upstream_rejected"),
  199999: fails("upstream_rejected"),
};

const NOTHING_WRONG = { code: null, resend: null, pause: null } as const;
const ends = (state: Expected["state"], calls: Expected["calls"] = 1): Expected => ({
  ...NOTHING_WRONG,
  state,
  calls,
});
const failed = (code: string, resend: Expected["resend"], pause: string | null = null): Expected => ({
  state: "failed",
  code,
  resend,
  calls: 1,
  pause,
});
/** The call was made, but its effect is unknown: never repeated, and finally given up. */
const UNCONFIRMED = failed("upstream_unconfirmed", "may_duplicate");

/** Outcomes that aren't in any list of codes, by name. */
const BY_NAME: Readonly<Record<string, Expected>> = {
  read: ends("read"),
  stays_sent: ends("sent"),
  stays_delivered: ends("delivered"),
  read_without_delivered: ends("read"),
  played: ends("read"),
  delivered_without_sent: ends("read"),
  unnamed_callbacks: ends("read"),
  callbacks_disordered: ends("read"),
  no_callbacks: ends("sent"),
  callbacks_repeated: ends("read"),
  read_before_sent: ends("read"),
  callbacks_late: ends("read"),
  fails_after_sent: failed("undeliverable", "never"),
  fails_before_sent: failed("undeliverable", "never"),
  fails_then_delivered: ends("read"),
  fails_after_delivered: ends("delivered"),
  fails_repeatedly: failed("undeliverable", "never"),
  held_then_read: ends("read"),
  held_then_fails: failed("template_not_approved", "never"),
  undeliverable_at_once: failed("undeliverable", "never"),
  undeliverable_later: failed("undeliverable", "never"),
  window_closed_later: failed("outside_customer_window", "later"),
  country_restricted_at_once: failed("recipient_not_allowed", "never"),
  country_restricted_later: failed("recipient_not_allowed", "never"),
  throttled_once: ends("read", 2),
  unavailable_once: ends("read", 2),
  pair_limited_twice: ends("read", 3),
  token_expired: { ...ends("queued"), pause: "credentials_invalid" },
  accepted_then_dropped: ends("read"),
  accepted_then_html_500: ends("read"),
  accepted_answer_late: ends("read"),
  accepted_without_id: ends("read"),
  accepted_cut: ends("read"),
  accepted_empty: ends("read"),
  accepted_then_graph_500: ends("read"),
  accepted_then_dropped_unconfirmed: UNCONFIRMED,
  accepted_then_dropped_late: ends("read"),
  accepted_then_dropped_fails: failed("undeliverable", "never"),
  accepted_then_dropped_fails_unnamed: failed("undeliverable", "never"),
  accepted_answer_slow: ends("read"),
  accepted_answer_slower: ends("read"),
  dropped: UNCONFIRMED,
  html_500: UNCONFIRMED,
  html_502: UNCONFIRMED,
  graph_500: UNCONFIRMED,
  never_answers: UNCONFIRMED,
  throttled_without_body: ends("read", 2),
  always_throttled_without_body: ends("queued", { atLeast: 2 }),
};

/** Prefixes of the families that contain every documented error, and each family's effect on a code's rule. */
const FAMILIES: Readonly<Record<string, (rule: Rule) => Expected>> = {
  "991": (rule) => {
    if (rule.refused === "fails") return failed(rule.async, rule.resend);
    if (rule.refused === "pauses") return { ...ends("queued"), pause: rule.pause };
    return ends("queued", { atLeast: 1 });
  },
  "992": (rule) => failed(rule.async, rule.resend, rule.refused === "pauses" ? rule.pause : null),
  "993": (rule) => failed(rule.async, rule.resend, rule.refused === "pauses" ? rule.pause : null),
  "994": (rule) => passing(rule, 1),
  "995": (rule) => passing(rule, 2),
  "996": (rule) => passing(rule, 3),
};

function passing(rule: Rule, refusals: number): Expected {
  return rule.refused === "pauses" ? { ...ends("queued"), pause: rule.pause } : ends("read", refusals + 1);
}

/** Returns every outcome that the simulator has, and the expected outcome of a text to it. */
export function expectedRows(): ExpectedRow[] {
  const byDigits = new Map(
    documentedErrorNames().map((name) => [documentedError(name).digits, documentedError(name).code]),
  );
  return outcomes.map(({ name, suffix }) => {
    const own = BY_NAME[name];
    if (own) return { name, suffix: suffix ?? "00042", ...own };
    const family = FAMILIES[suffix?.slice(0, 3) ?? ""];
    const rule = RULES[byDigits.get(suffix?.slice(3) ?? "") ?? -1];
    if (!family || !rule || suffix === null) throw new Error(`Nobody has said what becomes of ${name}`);
    return { name, suffix, ...family(rule) };
  });
}
