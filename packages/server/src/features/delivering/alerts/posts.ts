import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { AlertDeps } from "./deps.ts";
import { noteNotification } from "./history-store.ts";
import { type Rule, ruleOf } from "./rule.ts";
import { addressesOf } from "./sealed-addresses.ts";
import { findRules } from "./store.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;

/** A message to an address that a rule names; the address itself, which is a secret, stays with the rule. */
interface Post {
	readonly channel: "slack" | "webhook";
	readonly ruleId: number;
	/** Null: a test, which has no entry in the history. */
	readonly alertId: number | null;
	readonly body: string;
}

function urlOf(deps: AlertDeps, rule: Rule, channel: Post["channel"]): string | null {
	if (channel === "slack") return rule.notifySlack ? addressesOf(deps, rule.stored).slackUrl : null;
	return rule.notifyWebhook ? addressesOf(deps, rule.stored).webhookUrl : null;
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
	await deps.jobs.enqueue(trx, { kind: "alert-post", payload, lane: new URL(url).host, ...uniqueKey });
	return true;
}

/** Passes an event on to the address that the rule of an alert names, once. */
export async function postEvent(
	deps: AlertDeps,
	rule: Rule,
	{ alertId, eventId, body }: { readonly alertId: number; readonly eventId: string; readonly body: string },
): Promise<void> {
	await post(deps, deps.metadata, rule, { channel: "webhook", alertId, body }, eventId);
}

/** Says how messages to addresses of rules are sent: at most six times, within about two hours. */
export function registerPosts(deps: AlertDeps): void {
	deps.jobs.register<Post>("alert-post", (payload, { signal }) => sendPost(deps, payload, signal), {
		maxAttempts: 6,
		leaseMs: MINUTE_MS,
		perLane: 1,
		onGivenUp: async (trx, { alertId, channel }) => {
			if (alertId === null) return;
			await noteNotification(trx, alertId, { notification_error: `${channel}: no attempt succeeded` });
		},
	});
}

async function sendPost(deps: AlertDeps, { channel, ruleId, alertId, body }: Post, signal: AbortSignal): Promise<void> {
	const [row] = await findRules(deps.metadata, [ruleId]);
	const url = row === undefined ? null : urlOf(deps, ruleOf(row), channel);
	if (url === null) return;
	const status = await answerOf(deps, { url, body, signal });
	if (status < 200 || status > 299) {
		throw new JobFailure(`The receiver of an alert answered ${status}`, { isFinal: status === 404 || status === 410 });
	}
	if (alertId === null) return;
	const sent = channel === "slack" ? { slack_sent: 1 } : { webhook_sent: 1 };
	await noteNotification(deps.metadata, alertId, sent);
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
		throw new JobFailure(`The receiver of an alert was not reached: ${error.message}`, { isFinal, cause: error });
	}
}
