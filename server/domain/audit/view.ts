/** An act as members see it. Acts are never changed; an erasure takes the detail out of those that name a person. */
export interface AuditView {
  readonly id: string;
  readonly at: Date;
  /** `<noun>.<verb>`, stable. */
  readonly action: string;
  /** The same in plain words, behind the actor's name. */
  readonly words: string;
  readonly actor: {
    /** `system`: a job of Waypost's own, or an operator's command. */
    readonly kind: "key" | "member" | "system";
    /** Of the key or member; the job's or command's name for the system. */
    readonly id: string;
    /** Null where there is none any more. */
    readonly name: string | null;
    /** Of a member. */
    readonly email: string | null;
  };
  readonly subject: {
    readonly kind: string;
    readonly id: string;
    /** As it is called now; null where it has no name, or is erased. */
    readonly name: string | null;
  };
  /** Network address that a member's request came from. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Before and after, without secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
}
