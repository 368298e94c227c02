/** An error of the Graph API, as Meta returns it. */
export interface GraphErrorRow {
  readonly code: number;
  readonly subcode?: number;
  readonly httpStatus: number;
  /** Default `OAuthException`. */
  readonly type?: "OAuthException" | "GraphMethodException";
  readonly title: string;
  /** The whole `message`, if it isn't `(#code) title`. */
  readonly message?: string;
  /** `error_data.details`. Null if Meta sends no `error_data`. */
  readonly details: string | null;
  readonly isTransient?: true;
}

/** An error that a recipient's digits, or a failure of a whole number, can trigger. */
export interface DocumentedErrorRow extends GraphErrorRow {
  /** The two digits that stand for it at the end of a recipient. */
  readonly digits: string;
  /** True if Meta also reports it in a `failed` status, after an acceptance. */
  readonly comesLater: boolean;
  /** True if it ends by itself or with an operator's help, so that a later call may be accepted. */
  readonly passes: boolean;
  /** The token is invalid: the number can't be read or used either. */
  readonly isCredential?: true;
  /** `status` of the number's node while the whole number fails with it; otherwise CONNECTED. */
  readonly numberStatus?:
    "BANNED" | "RESTRICTED" | "FLAGGED" | "RATE_LIMITED" | "DISCONNECTED" | "UNVERIFIED";
}
