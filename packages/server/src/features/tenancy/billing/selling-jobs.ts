import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { leadersOf } from "../organizations/index.ts";
import { findAccount } from "./account-store.ts";
import { CUSTOMER_JOB } from "./accounting-email.ts";
import type { Move, SellingDeps, WatchDeps } from "./deps.ts";
import { reconcile } from "./reconcile.ts";
import { syncSubscriptions } from "./sync-subscriptions.ts";

const MOVE_JOB = "billing-move";

/** Background jobs at the payment provider. */
export function registerSellingJobs(jobs: Jobs, deps: SellingDeps): void {
	jobs.register<Move>(MOVE_JOB, (move) => moveUp(deps, move));
	jobs.register<{ organizationId: string }>(CUSTOMER_JOB, ({ organizationId }) =>
		addressInvoices(deps, organizationId),
	);
	jobs.schedule("billing-reconcile", "37 * * * *", ({ signal }) => reconcile(deps, signal));
}

/** Moves a subscription to the larger plan, together with the transaction that decides so. */
export const movesBy =
	(jobs: Pick<Jobs, "enqueue">): NonNullable<WatchDeps["move"]> =>
	async (trx, move) => {
		await jobs.enqueue(trx, { kind: MOVE_JOB, payload: move });
	};

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
