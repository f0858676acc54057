import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, noteNotification } from "./history-store.ts";
import { alertMail } from "./mails.ts";
import { goalMessageOf, messageOf } from "./message.ts";
import { type Rule, ruleOf } from "./rule.ts";
import { findRules, ownerAddresses, shutAddresses } from "./store.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;

/** A message to an address that a rule names; the address itself, which may be a secret, stays with the rule. */
interface Post {
	readonly channel: "slack" | "webhook";
	readonly ruleId: number;
	/** Null: a test, which has no entry in the history. */
	readonly alertId: number | null;
	readonly body: string;
}

/** Tells people of an entry, in the transaction that makes it. */
export async function notify(deps: AlertDeps, trx: Metadata, rule: Rule, alert: AlertRow): Promise<void> {
	const message = rule.alertType === "goal_reached" ? goalMessageOf(rule, alert.current_value) : messageOf(rule, alert);
	const told = { message, severity: alert.severity, isTest: false };
	if (rule.notifyEmail && (await mailAll(deps, trx, rule, told))) {
		await noteNotification(trx, alert.id, { email_sent: 1 });
	}
	await post(deps, trx, rule, {
		channel: "slack",
		alertId: alert.id,
		body: slackBody(siteName(deps, rule), rule, told),
	});
}

/** What people are told. */
interface Told {
	readonly message: string;
	readonly severity: string;
	readonly isTest: boolean;
}

const siteName = ({ sites }: AlertDeps, { siteId }: Rule): string => sites.get(siteId)?.name ?? siteId;

/** Mails the recipients of a rule, or the owners; people whose account is shut are left out. False when nobody is left. */
async function mailAll(deps: AlertDeps, trx: Metadata, rule: Rule, told: Told): Promise<boolean> {
	const { organizationId = "" } = deps.sites.get(rule.siteId) ?? {};
	const named = rule.emailRecipients.length > 0 ? rule.emailRecipients : await ownerAddresses(trx, organizationId);
	const shut = await shutAddresses(trx, named);
	const open = named.filter((address) => !shut.has(address));
	for (const to of open) await deps.mailer.queue(trx, { to, ...alertMail(siteName(deps, rule), rule, told) });
	return open.length > 0;
}

// The three signs that mean something in a message (docs.slack.dev, "Formatting message text").
const slackText = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackBody = (site: string, { name }: Rule, { message, severity, isTest }: Told): string =>
	JSON.stringify({ text: slackText(`${isTest ? "Test: " : ""}[${severity}] ${site}: ${name}\n${message}`) });

const channelOf = (rule: Rule, channel: Post["channel"]): string | null => {
	const [isOn, url] = channel === "slack" ? [rule.notifySlack, rule.slackUrl] : [rule.notifyWebhook, rule.webhookUrl];
	return isOn ? url : null;
};

/** Sends a message later, when the rule has an address for it; with a key, once. */
async function post(deps: AlertDeps, trx: Metadata, rule: Rule, message: Omit<Post, "ruleId">, key?: string) {
	const url = channelOf(rule, message.channel);
	if (url === null) return false;
	const payload: Post = { ...message, ruleId: rule.id };
	const uniqueKey = key === undefined ? {} : { uniqueKey: key };
	await deps.jobs.enqueue(trx, { kind: "alert-post", payload, lane: new URL(url).host, ...uniqueKey });
	return true;
}

/** Sends a test to everybody whom a rule would tell; answers whether there is anybody. */
export function sendTest(deps: AlertDeps, rule: Rule, message: string, severity: Told["severity"]): Promise<boolean> {
	const told = { message, severity, isTest: true };
	const data = { rule_name: rule.name, severity, message, metric: rule.metric, test: true };
	const event = { event: "alert.triggered", event_id: uuid(), account_id: rule.siteId, data };
	return deps.metadata.transaction().execute(async (trx) => {
		const sent = [
			rule.notifyEmail && (await mailAll(deps, trx, rule, told)),
			await post(deps, trx, rule, {
				channel: "slack",
				alertId: null,
				body: slackBody(siteName(deps, rule), rule, told),
			}),
			await post(deps, trx, rule, { channel: "webhook", alertId: null, body: JSON.stringify(event) }),
		];
		return sent.includes(true);
	});
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
		leaseMs: 60_000,
		perLane: 1,
		onGivenUp: async (trx, { alertId, channel }) => {
			if (alertId === null) return;
			await noteNotification(trx, alertId, { notification_error: `${channel}: no attempt succeeded` });
		},
	});
}

async function sendPost(deps: AlertDeps, { channel, ruleId, alertId, body }: Post, signal: AbortSignal): Promise<void> {
	const [row] = await findRules(deps.metadata, [ruleId]);
	const url = row === undefined ? null : channelOf(ruleOf(row), channel);
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
