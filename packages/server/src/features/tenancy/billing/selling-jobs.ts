import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { putOnPlan } from "../organization-plan/index.ts";
import { findOrganization, leadersOf, lockOrganization } from "../organizations/index.ts";
import { CUSTOMER_JOB } from "./account-routes.ts";
import type { Move, SellingDeps } from "./deps.ts";
import { byProvider } from "./selling-routes.ts";
import { events, findAccount, liveCustomers, liveOne, subscriptionsOf } from "./store.ts";
import { hasLapsed, syncSubscriptions } from "./sync-subscriptions.ts";

/** The provider sends an event for three days. */
const EVENTS_KEPT_MS = 60 * DAY_MS;

/**
 * Checks every active subscription: finds changes without an event, ends those of deleted organizations, and takes the plan
 * where the money has not come for fourteen days.
 */
async function reconcile(deps: SellingDeps, signal: AbortSignal): Promise<void> {
	let failed = 0;
	for (const customer of await liveCustomers(deps.metadata)) {
		signal.throwIfAborted();
		try {
			if (!customer.isActive) await deps.payments.end(customer.subscriptionId);
			await syncSubscriptions(deps, customer, byProvider);
		} catch {
			failed += 1;
		}
		await lapse(deps, customer.organizationId);
	}
	await events.drop(deps.metadata, { received_at: { "<": deps.clock.now() - EVENTS_KEPT_MS } });
	if (failed > 0) throw new JobFailure(`${failed} subscriptions could not be looked at: the payment provider failed`);
}

async function lapse({ metadata, clock, sites }: SellingDeps, organizationId: string): Promise<void> {
	const now = clock.now();
	const live = liveOne(await subscriptionsOf(metadata, organizationId));
	if (live === undefined || !hasLapsed(live, now)) return;
	await metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const organization = await findOrganization(trx, organizationId);
		// Another plan than the one that is not paid was set by hand.
		if (organization?.is_active !== 1 || organization.plan_tier !== live.plan_tier) return;
		await putOnPlan(trx, systemActor, { organizationId, plan: "free" }, now);
	});
	await sites.refresh();
}

export const MOVE_JOB = "billing-move";

export function registerSellingJobs(jobs: Jobs, deps: SellingDeps): void {
	jobs.register<Move>(MOVE_JOB, (move) => moveUp(deps, move));
	jobs.register<{ organizationId: string }>(CUSTOMER_JOB, ({ organizationId }) =>
		addressInvoices(deps, organizationId),
	);
	jobs.schedule("billing-reconcile", "37 * * * *", ({ signal }) => reconcile(deps, signal));
}

async function moveUp(deps: SellingDeps, { organizationId, subscriptionId }: Move): Promise<void> {
	await deps.payments.move(subscriptionId, "scale");
	const { customer_id: customerId } = await findAccount(deps.metadata, organizationId);
	if (customerId === null) return;
	await syncSubscriptions(deps, { organizationId, customerId }, { source: "system", actor: systemActor });
}

async function addressInvoices({ metadata, payments }: SellingDeps, organizationId: string): Promise<void> {
	const { accounting_email: email, customer_id: customerId } = await findAccount(metadata, organizationId);
	if (customerId === null) return;
	await payments.describeCustomer(customerId, { email: email ?? (await firstOwner(metadata, organizationId)) });
}

async function firstOwner(metadata: Metadata, organizationId: string): Promise<string | undefined> {
	const [leader] = await leadersOf(metadata, organizationId);
	return leader?.role === "owner" ? (await findUser(metadata, leader.userId))?.email : undefined;
}
