import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { type DomainEvent, eventBody } from "../domain-events/index.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, findAlert, findReachedGoal, noteNotification } from "./history-store.ts";
import { type Rule, ruleOf } from "./rule-fields.ts";
import { addressesOf } from "./sealed-addresses.ts";
import { findRules } from "./store.ts";
import type { Channel } from "./vocabulary.ts";

const TIMEOUT_MS = 10_000;
/** Messages that this process sends at once. */
const CONCURRENCY = 16;
const MAX_ANSWER_BYTES = 4096;

/** A message to an address that a rule names; the address itself, which is a secret, stays with the rule. */
interface Post {
	readonly channel: Exclude<Channel, "email">;
	readonly ruleId: number;
	/** Null: a test, which has no entry in the history. */
	readonly alertId: number | null;
	readonly body: string;
}

function urlOf(deps: AlertDeps, rule: Rule, channel: Post["channel"]): string | null {
	if (channel === "slack") return rule.notify_slack ? addressesOf(deps, rule.stored).slack_webhook_url : null;
	return rule.notify_webhook ? addressesOf(deps, rule.stored).custom_webhook_url : null;
}

/** Sends a message later, when the rule has an address for it; with a key, once. */
export async function post(
	deps: AlertDeps,
	trx: Metadata,
	rule: Rule,
	message: Omit<Post, "ruleId">,
	key?: string,
): Promise<boolean> {
	const url = urlOf(deps, rule, message.channel);
	if (url === null) return false;
	const payload: Post = { ...message, ruleId: rule.id };
	const uniqueKey = key === undefined ? {} : { uniqueKey: key };
	// Many sites may share a receiver, which may be slow for one of them alone.
	const lane = `${rule.siteId} ${new URL(url).host}`;
	await deps.jobs.enqueue(trx, { kind: "alert-post", payload, lane, ...uniqueKey });
	return true;
}

/** Says how messages to addresses of rules are sent: at most six times, within about two hours. */
export function registerPosts(deps: AlertDeps): void {
	deps.jobs.register<Post>("alert-post", (payload, { signal }) => sendPost(deps, payload, signal), {
		maxAttempts: 6,
		leaseMs: MINUTE_MS,
		concurrency: CONCURRENCY,
		perLane: 1,
		onGivenUp: async (trx, { alertId, channel }) => {
			if (alertId === null) return;
			await noteNotification(trx, alertId, { channel, isSent: false, error: "no attempt succeeded" });
		},
	});
}

async function sendPost(deps: AlertDeps, { channel, ruleId, alertId, body }: Post, signal: AbortSignal): Promise<void> {
	const [row] = await findRules(deps.metadata, [ruleId]);
	// Notifications of a deleted site are not sent.
	if (row === undefined || deps.sites.get(row.site_id)?.isActive !== true) return;
	const url = urlOf(deps, ruleOf(row), channel);
	if (url === null) return;
	const status = await answerOf(deps, { url, body, signal });
	if (status < 200 || status > 299) {
		const isFinal = status === 404 || status === 410;
		throw new JobFailure(`The receiver of an alert answered ${status}`, { isFinal, isOurs: false });
	}
	if (alertId === null) return;
	await deps.metadata
		.transaction()
		.execute((trx) => noteNotification(trx, alertId, { channel, isSent: true, error: null }));
}

async function answerOf(
	{ outbound }: AlertDeps,
	request: { readonly url: string; readonly body: string; readonly signal: AbortSignal },
): Promise<number> {
	try {
		const { status } = await outbound.send({
			...request,
			method: "POST",
			headers: { "content-type": "application/json" },
			timeoutMs: TIMEOUT_MS,
			maxBytes: MAX_ANSWER_BYTES,
			excess: "cut",
		});
		return status;
	} catch (error) {
		if (!(error instanceof OutboundError)) throw error;
		const isFinal = error.failure === "blocked_address";
		throw new JobFailure(`The receiver of an alert was not reached: ${error.message}`, {
			...{ isFinal, isOurs: false },
			cause: error,
		});
	}
}

/** Passes an event of an alert on to the address that its rule names; other events are left alone. */
export async function passOn(deps: AlertDeps, event: DomainEvent): Promise<void> {
	const alert = await alertOf(deps, event);
	if (alert === undefined || alert.site_id !== event.siteId) return;
	const [row] = await findRules(deps.metadata, [alert.rule_id]);
	if (row === undefined) return;
	const message = { channel: "webhook", alertId: alert.id, body: eventBody(event) } as const;
	await post(deps, deps.metadata, ruleOf(row), message, event.id);
}

async function alertOf({ metadata }: AlertDeps, event: DomainEvent): Promise<AlertRow | undefined> {
	switch (event.type) {
		case "alert.triggered":
		case "alert.resolved":
			return findAlert(metadata, event.data.alert_id);
		case "goal.reached":
			return findReachedGoal(metadata, event.data.goal_id);
		case "export.completed":
		case "export.failed":
			return undefined;
	}
}
