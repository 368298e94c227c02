/** An error of the Graph API, as Meta answers it. */
export interface GraphErrorRow {
  readonly code: number;
  readonly subcode?: number;
  readonly httpStatus: number;
  /** Default `OAuthException`. */
  readonly type?: "OAuthException" | "GraphMethodException";
  readonly title: string;
  /** The whole `message` where it isn't `(#code) title`. */
  readonly message?: string;
  /** `error_data.details`; null where Meta sends no `error_data`. */
  readonly details: string | null;
  readonly isTransient?: true;
}

/** An error that a recipient's digits, or a failure of a whole number, can bring about. */
export interface DocumentedErrorRow extends GraphErrorRow {
  /** The two digits that stand for it at the end of a recipient. */
  readonly digits: string;
  /** Meta reports it also in a `failed` status, after an acceptance. */
  readonly comesLater: boolean;
  /** It goes away by itself or with an operator's help, so that a later call may be accepted. */
  readonly passes: boolean;
  /** The token is at fault: nothing of the number can be read or used either. */
  readonly isCredential?: true;
  /** `status` of the number's node while the whole number fails with it; otherwise CONNECTED. */
  readonly numberStatus?:
    "BANNED" | "RESTRICTED" | "FLAGGED" | "RATE_LIMITED" | "DISCONNECTED" | "UNVERIFIED";
}
