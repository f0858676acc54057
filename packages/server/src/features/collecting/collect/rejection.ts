/** Why a hit is rejected; every one is answered 204 and counted under its reason. */
export const rejectReasons = [
	"invalid_json",
	"invalid_account",
	"invalid_domain",
	"invalid_token",
	"other_currency",
	"blocklist_ip",
	"rate_limit",
	"quota_exceeded",
] as const;

export type RejectReason = (typeof rejectReasons)[number];

/** Why an accepted hit lost a part: a conversion counts with amount 0. */
export const LOST_AMOUNT = "invalid_amount";

/** A reason under which hits are counted. */
export type NotedReason = RejectReason | typeof LOST_AMOUNT;
