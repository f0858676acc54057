import type { ReadyConfig } from "../../platform/config/secret-key.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";

interface Parts {
	readonly config: ReadyConfig;
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** Dependencies of signing in. */
export function authOf({ config, metadata, clock }: Parts) {
	const { secretKey, cookieSecure, publicUrl } = config;
	return { metadata, clock, secretKey, cookieSecure, publicUrl };
}
