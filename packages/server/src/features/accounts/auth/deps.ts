import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** What this slice needs. */
export interface AuthDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** The server's secret. */
	readonly secretKey: string;
	/** False lets the cookies travel over plain HTTP. */
	readonly cookieSecure: boolean;
	/** Address under which browsers reach the service, when it is configured. */
	readonly publicUrl?: string | undefined;
}
