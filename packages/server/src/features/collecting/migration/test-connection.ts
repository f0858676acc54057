import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { type LegacyLogin, openLegacy } from "./legacy-service.ts";

/** Whether somebody can sign in at the older service, and sees the account there. */
export interface Connection {
	readonly valid: boolean;
	readonly accountName: string | null;
	readonly error: string | null;
}

/** Tries what a migration job would do first; nothing of it is kept. */
export async function testConnection(
	clock: Clock,
	baseUrl: string,
	login: LegacyLogin,
	accountId: string,
): Promise<Connection> {
	try {
		const accounts = await (await openLegacy(clock, baseUrl, login)).accounts();
		const accountName = accounts.get(accountId);
		if (accountName !== undefined) return { valid: true, accountName, error: null };
		return refused("The older service does not show this account");
	} catch (error) {
		if (error instanceof JobFailure) return refused(error.message);
		throw error;
	}
}

const refused = (error: string): Connection => ({ valid: false, accountName: null, error });
