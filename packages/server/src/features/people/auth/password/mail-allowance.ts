import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { countAttempt, type FailureDeps } from "../../failure-limits/index.ts";

const mailsToAnAddress = { name: "account-mail", failures: 5, windowMs: HOUR_MS } as const;

/**
 * False once an address got five mails in an hour from public forms, regardless of the sender, so that a mailbox cannot be
 * flooded. The answer to the sender is the same.
 */
export async function mayMail(deps: FailureDeps, email: string): Promise<boolean> {
	try {
		await countAttempt(deps, mailsToAnAddress, email);
		return true;
	} catch (error) {
		if (error instanceof ServiceError && error.code === "rate_limit_exceeded") return false;
		throw error;
	}
}
