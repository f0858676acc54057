import type { AppDeps } from "../app-deps.ts";

/** Dependencies of signing in. */
export function authOf({ config, metadata, clock }: Pick<AppDeps, "config" | "metadata" | "clock">) {
	const { secretKey, cookieSecure, publicUrl } = config;
	return { metadata, clock, secretKey, cookieSecure, publicUrl };
}
