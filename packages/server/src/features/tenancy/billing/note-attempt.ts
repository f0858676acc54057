import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { SellingDeps } from "./deps.ts";
import { insertHistory } from "./store.ts";
import type { Source } from "./sync-subscriptions.ts";

interface Attempt {
	readonly organizationId: string;
	readonly action: string;
	readonly subscriptionId?: string;
}

/** Does something at the provider, and notes in the history that it was done or why the provider failed. */
export async function noteAttempt<T>(
	deps: SellingDeps,
	{ source, actor }: Source,
	{ organizationId, action, subscriptionId }: Attempt,
	work: () => Promise<T>,
): Promise<T> {
	const note = (failure: ServiceError | undefined) =>
		insertHistory(deps.metadata, {
			organization_id: organizationId,
			subscription_id: subscriptionId ?? null,
			user_id: actor.userId,
			action,
			source,
			success: failure === undefined ? 1 : 0,
			error_message: failure?.message ?? null,
			error_code: failure?.code ?? null,
			ip_address: actor.ip,
			created_at: deps.clock.now(),
		});
	try {
		const done = await work();
		await note(undefined);
		return done;
	} catch (error) {
		// An invalid request is no attempt.
		if (error instanceof ServiceError && error.code === "bad_gateway") await note(error);
		throw error;
	}
}
