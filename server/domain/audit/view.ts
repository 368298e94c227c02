/** An act as members see it. Acts never change, but an erasure removes the detail of acts that name a person. */
export interface AuditView {
  readonly id: string;
  readonly at: Date;
  /** `<noun>.<verb>`. Stable. */
  readonly action: string;
  /** The action in plain words, to follow the actor's name. */
  readonly words: string;
  readonly actor: {
    /** `system`: one of Waypost's own jobs, or an operator's command. */
    readonly kind: "key" | "member" | "system";
    /** Id of the key or member; the name of the job or command for the system. */
    readonly id: string;
    /** Null if the actor no longer exists. */
    readonly name: string | null;
    /** Members only. */
    readonly email: string | null;
  };
  readonly subject: {
    readonly kind: string;
    readonly id: string;
    /** The subject's current name; null if it has none or was erased. */
    readonly name: string | null;
  };
  /** The network address of a member's request. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Values before and after, without secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
}
