import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Received } from "./webhook-receiver.ts";

/** The event that an independent library reads from a signed call; `null` if it refuses the call. */
export function standardVerified(secret: string, { headers, body }: Received): unknown {
	const stamp = Number(headers["webhook-timestamp"]) * 1000;
	const clock = Date.now;
	try {
		// The library takes only what is fresh by the machine's clock.
		Date.now = () => stamp;
		return new Webhook(secret).verify(body, headers as Record<string, string>);
	} catch {
		return null;
	} finally {
		Date.now = clock;
	}
}

/** The service's own signature of a call by a secret. */
export const ownSignature = (secret: string, { headers, body }: Received): string =>
	`sha256=${createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.${body}`).digest("hex")}`;
