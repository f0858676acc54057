/** Points that each bot signal adds to the score of a hit; a test keeps them equal to the collector's. */
export const flagWeights = {
	empty_user_agent: 90,
	known_bot_pattern: 85,
	headless_user_agent: 70,
	suspicious_user_agent: 50,
	platform_mismatch: 40,
	mobile_mismatch: 35,
	sec_fetch_inconsistent: 30,
	missing_client_hints: 25,
	missing_sec_fetch: 25,
	missing_accept_language: 20,
	incomplete_accept_encoding: 15,
} as const;
