import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { recordAudit, systemActor } from "../../../auditing/audit-log/index.ts";
import { findUser } from "../../../people/users/index.ts";
import { leadersOf } from "../../../tenancy/organizations/index.ts";
import { findSite } from "../../../tenancy/sites/index.ts";
import type { DeliveryRow, EndpointRow, WebhookDeps } from "../deps.ts";
import { noteContact, webhookEndpoints } from "../endpoints/endpoints-store.ts";
import { enqueueAttempt, nextAttemptAt } from "../sending/enqueue-attempt.ts";
import type { Outcome } from "../sending/send-attempt.ts";
import { waitingStates, webhookAttempts, webhookDeliveries } from "./deliveries-store.ts";

const GONE = 410;
const FAILING_MS = 3 * DAY_MS;

const resultOf = ({ error, status, timeMs }: Outcome) => ({
	response_status_code: status,
	response_time_ms: status === null ? null : timeMs,
	error_type: error?.type ?? null,
	error_message: error?.message ?? null,
});

export const outcomeColumns = (outcome: Outcome) => ({
	...resultOf(outcome),
	response_headers: JSON.stringify(outcome.headers),
	response_body: outcome.body,
});

export const attemptOf = (
	delivery: number,
	attempt: number,
	{ outcome, atMs }: { outcome: Outcome; atMs: number },
) => ({
	...resultOf(outcome),
	delivery,
	attempt_number: attempt,
	attempted_at: atMs,
	request_url: outcome.url,
});

/** Notes what came of an attempt, with everything that follows from it; nothing when another process has noted it. */
export async function noteAttempt(
	deps: WebhookDeps,
	trx: Metadata,
	delivery: DeliveryRow,
	{ outcome, atMs }: { readonly outcome: Outcome; readonly atMs: number },
): Promise<void> {
	const attempt = delivery.attempt_number + 1;
	const now = deps.clock.now();
	const firstAt = delivery.first_attempt_at ?? atMs;
	const nextAt = againAt(delivery, outcome, { firstAt, lastAt: now });
	const isOver = nextAt === undefined;
	const status = outcome.error === null ? "success" : isOver ? "failed" : "retrying";
	// The endpoint comes first, as in its removal: in another order the two could wait for each other.
	const endpoint = await noteContact(trx, delivery.endpoint_id, {
		failure: outcome.error?.message ?? null,
		nowMs: now,
	});
	if (endpoint === undefined) return;
	const due = { id: delivery.id, attempt_number: attempt - 1, status: waitingStates };
	const noted = await webhookDeliveries.update(trx, due, {
		attempt_number: attempt,
		...outcomeColumns(outcome),
		status,
		first_attempt_at: firstAt,
		next_retry_at: nextAt ?? null,
		completed_at: isOver ? now : null,
	});
	if (noted === undefined) return;
	await webhookAttempts.insert(trx, attemptOf(delivery.id, attempt, { outcome, atMs }));
	if (nextAt !== undefined) await enqueueAttempt(deps, trx, delivery, { attempt: attempt + 1, runAt: nextAt });
	if (outcome.error !== null) await judgeEndpoint(deps, trx, endpoint, outcome);
}

function againAt(
	delivery: DeliveryRow,
	{ error, status, putOffMs }: Outcome,
	times: { readonly firstAt: number; readonly lastAt: number },
): number | undefined {
	if (error === null || status === GONE) return undefined;
	return nextAttemptAt(delivery.attempt_number + 1, { ...times, putOffMs });
}

/** A receiver that says it is gone, or that nothing has reached for days, gets no more. */
async function judgeEndpoint(deps: WebhookDeps, trx: Metadata, endpoint: EndpointRow, { status }: Outcome) {
	if (status === GONE) return switchOff(deps, trx, endpoint, "gone");
	const failingMs = deps.clock.now() - (endpoint.failing_since ?? deps.clock.now());
	if (failingMs >= FAILING_MS) await switchOff(deps, trx, endpoint, "failing");
}

const reasons = {
	gone: "Its receiver answered 410 Gone.",
	failing: "All deliveries of the last 3 days failed.",
} as const;

/** Switches an endpoint off and tells the owners of its organization; nothing when it is off already. */
async function switchOff(
	deps: Pick<WebhookDeps, "clock" | "mailer">,
	trx: Metadata,
	endpoint: EndpointRow,
	reason: keyof typeof reasons,
): Promise<void> {
	const now = deps.clock.now();
	const changes = { is_active: 0, disabled_reason: reason, updated_at: now };
	if ((await webhookEndpoints.update(trx, { id: endpoint.id, is_active: 1 }, changes)) === undefined) return;
	const details = { is_active: [true, false], disabled_reason: [null, reason] };
	const entry = { resourceId: endpoint.id, siteId: endpoint.site_id, details };
	await recordAudit(trx, systemActor, { action: "webhook.updated", ...entry }, now);
	const site = await findSite(trx, endpoint.site_id);
	if (site === undefined) return;
	for (const { userId, role } of await leadersOf(trx, site.organization_id)) {
		const user = role === "owner" ? await findUser(trx, userId) : undefined;
		if (user === undefined || user.is_active === 0) continue;
		await deps.mailer.queue(trx, {
			to: user.email,
			subject: `Webhook ${endpoint.name} was disabled`,
			body: [
				`Hello ${user.name},`,
				`The webhook ${endpoint.name} of ${site.name} no longer receives events. ${reasons[reason]}`,
				"Its delivery log shows each request and response. Once the receiver works again, enable the webhook and replay failed deliveries.",
			],
		});
	}
}
