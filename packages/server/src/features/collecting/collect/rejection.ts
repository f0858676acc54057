/** Why a hit is not counted; every one is answered 204 and counted under its reason. */
export const rejectReasons = [
	"invalid_json",
	"invalid_account",
	"invalid_domain",
	"invalid_token",
	"invalid_amount",
	"other_currency",
	"blocklist_ip",
	"rate_limit",
	"quota_exceeded",
] as const;

export type RejectReason = (typeof rejectReasons)[number];
