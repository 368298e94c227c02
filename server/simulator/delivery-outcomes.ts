import { delivered, read, sent, wholeLife, type OutcomeRow, type PlannedStatus } from "./outcome-row";

const accepted = (statuses: readonly PlannedStatus[]) =>
  ({ kind: "accept", answer: "message_id", statuses }) as const;

/** Outcomes with an acceptance and a normal response. They differ in the callbacks and their timing. */
export const deliveryOutcomes = {
  read: {
    suffix: null,
    description: "The message is accepted, sent, delivered and read within half a second.",
    behaviour: accepted(wholeLife),
  },
  stays_sent: {
    suffix: "99001",
    description: "The message is accepted and sent, but never reaches a device.",
    behaviour: accepted([sent]),
  },
  stays_delivered: {
    suffix: "99002",
    description: "The message is delivered but never read.",
    behaviour: accepted([sent, delivered]),
  },
  read_without_delivered: {
    suffix: "99003",
    description: "The customer reads the message at once: read comes, and delivered never does.",
    behaviour: accepted([sent, read]),
  },
  played: {
    suffix: "99004",
    description: "The message is delivered, read and finally played, like a voice message.",
    behaviour: accepted([...wholeLife, { status: "played", afterMs: 600 }]),
  },
  delivered_without_sent: {
    suffix: "99005",
    description: "The first callback is delivered; sent never comes.",
    behaviour: accepted([delivered, read]),
  },
  unnamed_callbacks: {
    suffix: "99006",
    description: "Callbacks contain only the message id, without biz_opaque_callback_data.",
    behaviour: accepted(wholeLife.map((planned) => ({ ...planned, isUnnamed: true }))),
  },
  callbacks_disordered: {
    suffix: "99040",
    description: "The status callbacks come out of order and more than once, and end in read.",
    behaviour: accepted([
      { status: "delivered", afterMs: 30 },
      { status: "read", afterMs: 90 },
      { status: "sent", afterMs: 150 },
      { status: "delivered", afterMs: 210 },
      { status: "sent", afterMs: 270 },
      { status: "read", afterMs: 330 },
    ]),
  },
  no_callbacks: {
    suffix: "99041",
    description: "The message is accepted, but no callback ever follows.",
    behaviour: accepted([]),
  },
  callbacks_repeated: {
    suffix: "99042",
    description: "Every status callback comes three times.",
    behaviour: accepted(
      wholeLife.flatMap((planned) =>
        [0, 40, 80].map((laterMs) => ({ ...planned, afterMs: planned.afterMs + laterMs })),
      ),
    ),
  },
  read_before_sent: {
    suffix: "99043",
    description: "The callbacks come in reverse order: read, then delivered, then sent.",
    behaviour: accepted([
      { status: "read", afterMs: 30 },
      { status: "delivered", afterMs: 150 },
      { status: "sent", afterMs: 400 },
    ]),
  },
  callbacks_late: {
    suffix: "99044",
    description:
      "The first callback comes 30 seconds after the message is accepted; the others follow immediately.",
    behaviour: accepted(wholeLife.map((planned) => ({ ...planned, afterMs: planned.afterMs + 30_000 }))),
  },
  fails_after_sent: {
    suffix: "99045",
    description: "The message is sent, and fails two seconds later with 131026, message undeliverable.",
    behaviour: accepted([sent, { status: "failed", afterMs: 2_000, error: "undeliverable" }]),
  },
  fails_before_sent: {
    suffix: "99046",
    description:
      "The message fails with 131026, message undeliverable, and the sent callback comes after that.",
    behaviour: accepted([
      { status: "failed", afterMs: 30, error: "undeliverable" },
      { status: "sent", afterMs: 150 },
    ]),
  },
  fails_then_delivered: {
    suffix: "99047",
    description: "The message fails with 131026, but is then delivered and read on another device.",
    behaviour: accepted([
      sent,
      { status: "failed", afterMs: 150, error: "undeliverable" },
      { status: "delivered", afterMs: 400 },
      { status: "read", afterMs: 600 },
    ]),
  },
  fails_after_delivered: {
    suffix: "99048",
    description: "The message is delivered, and a failed callback with 131026 comes after that.",
    behaviour: accepted([sent, delivered, { status: "failed", afterMs: 400, error: "undeliverable" }]),
  },
  fails_repeatedly: {
    suffix: "99049",
    description: "The failed callback with 131026 comes three times.",
    behaviour: accepted(
      [30, 90, 150].map((afterMs) => ({ status: "failed", afterMs, error: "undeliverable" }) as const),
    ),
  },
  held_then_read: {
    suffix: "99051",
    description: "The message is accepted as held for quality assessment, and continues after two seconds.",
    behaviour: {
      kind: "accept",
      answer: "message_id_held",
      statuses: wholeLife.map((planned) => ({ ...planned, afterMs: planned.afterMs + 2_000 })),
    },
  },
  held_then_fails: {
    suffix: "99052",
    description:
      "The message is accepted as held for quality assessment and then fails with 132015, template paused.",
    behaviour: {
      kind: "accept",
      answer: "message_id_held",
      statuses: [{ status: "failed", afterMs: 150, error: "template_paused" }],
    },
  },
} as const satisfies Record<string, OutcomeRow>;
