import { ServiceError } from "../errors/service-error.ts";

/** Refuses a request whose `Origin` is neither the service's own nor absent; throws `csrf_failed`. */
export function checkOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | undefined): void {
	if (origin === undefined) return;
	if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return;
	if (URL.canParse(origin) && new URL(origin).host === host) return;
	throw new ServiceError("csrf_failed", "Request from a foreign origin");
}
