import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { findUser } from "../../people/users/index.ts";
import { type DomainEvent, eventBody } from "../domain-events/index.ts";
import { maybeMailed, ownerAddresses, recipientLink, type Standing, standingsOf } from "../mail-recipients/index.ts";
import type { AlertDeps } from "./deps.ts";
import { addressesOf, type Rule, ruleOf } from "./rule-fields.ts";
import { type AlertRow, alertHistory, alertRules, noteNotification } from "./store.ts";
import type { Channel, ComparisonWindow } from "./vocabulary.ts";

const TIMEOUT_MS = 10_000;
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
async function post(deps: AlertDeps, trx: Metadata, rule: Rule, message: Omit<Post, "ruleId">, key?: string) {
	const url = urlOf(deps, rule, message.channel);
	if (url === null) return false;
	const payload: Post = { ...message, ruleId: rule.id };
	// Many sites may share a receiver, which may be slow for one of them alone.
	const lane = `${rule.siteId} ${new URL(url).host}`;
	await deps.jobs.enqueue(trx, { kind: "alert-post", payload, lane, ...(key !== undefined && { uniqueKey: key }) });
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
	const row = await alertRules.find(deps.metadata, { id: ruleId });
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
	const row = await alertRules.find(deps.metadata, { id: alert.rule_id });
	if (row === undefined) return;
	const message = { channel: "webhook", alertId: alert.id, body: eventBody(event) } as const;
	await post(deps, deps.metadata, ruleOf(row), message, event.id);
}

async function alertOf({ metadata }: AlertDeps, event: DomainEvent): Promise<AlertRow | undefined> {
	switch (event.type) {
		case "alert.triggered":
		case "alert.resolved":
			return alertHistory.find(metadata, { id: event.data.alert_id });
		case "goal.reached":
			return alertHistory.find(metadata, { rule_id: event.data.goal_id, goal_period: { "is not": null } }, "id desc");
		case "export.completed":
		case "export.failed":
			return undefined;
	}
}

const windowNames: Readonly<Record<ComparisonWindow, string>> = {
	"15m": "15 minutes",
	"1h": "hour",
	"6h": "6 hours",
	"24h": "24 hours",
};

function subjectOf({ alert_type: type, metric, custom_condition: custom }: Rule): string {
	if (type === "error_rate") return "Rejected hits, in percent";
	if (type === "source_change") return `Entrances from ${custom?.utm_source ?? ""}`;
	const named = metric === "custom" ? (custom?.metric ?? "measured_value") : metric;
	const name = named === "pageviews" ? "page views" : named.replaceAll("_", " ");
	return name.charAt(0).toUpperCase() + name.slice(1);
}

export function messageOf(
	rule: Rule,
	measured: Pick<AlertRow, "current_value" | "expected_value" | "change_percentage">,
): string {
	const { current_value: value, expected_value: expected, change_percentage: change } = measured;
	const found = `${subjectOf(rule)}: ${value} in the last ${windowNames[rule.comparison_window]}`;
	if (rule.condition_type === "absolute_threshold") return `${found}, threshold ${expected}`;
	const against = rule.condition_type === "rate_of_change" ? "in the one before" : "expected";
	const percent = change === null ? "" : ` (${change > 0 ? "+" : ""}${change} %)`;
	return `${found}, ${expected} ${against}${percent}`;
}

export const goalMessageOf = (rule: Rule, value: number): string =>
	`${subjectOf(rule)}: ${value} since the start of the ${rule.custom_condition?.period ?? "period"}, target ${rule.threshold_value}`;

interface Content {
	readonly message: string;
	readonly severity: string;
	readonly isTest: boolean;
}

/** The mail of an alert. User text in it is never a link. */
const alertMail = (
	siteName: string,
	{ name: ruleName, description }: Pick<Rule, "name" | "description">,
	{ message, severity, isTest }: Content,
): { readonly subject: string; readonly body: readonly string[] } => {
	const [site, name] = [siteName, ruleName].map(withoutLinks);
	const why = isTest
		? `You sent this test of a rule of the site ${site}.`
		: `You receive this email because you are a recipient of the alert rule "${name}" of the site ${site}, or because you own the site. People who manage the site can change the rule.`;
	return {
		subject: `${isTest ? "Test: " : ""}[${severity}] ${site}: ${name}`,
		body: [
			...(isTest ? ["This is a test of an alert rule."] : []),
			withoutLinks(message),
			...(description === null || description === "" ? [] : [withoutLinks(description)]),
			why,
		],
	};
};

/** Tells people of an entry, in the transaction that makes it. */
export async function notify(deps: AlertDeps, trx: Metadata, rule: Rule, alert: AlertRow): Promise<void> {
	const message =
		rule.alert_type === "goal_reached" ? goalMessageOf(rule, alert.current_value) : messageOf(rule, alert);
	const told = { message, severity: alert.severity, isTest: false };
	if (rule.notify_email) {
		const { sent, leftOut } = await mailAll(deps, trx, rule, told);
		await noteNotification(trx, alert.id, {
			channel: "email",
			isSent: sent > 0,
			error: leftOut > 0 ? `${leftOut} of ${sent + leftOut} recipients may not be mailed` : null,
		});
	}
	await post(deps, trx, rule, {
		channel: "slack",
		alertId: alert.id,
		body: slackBody(siteName(deps, rule), rule, told),
	});
}

const siteName = ({ sites }: AlertDeps, { siteId }: Rule): string => sites.get(siteId)?.name ?? siteId;

/** Mails those recipients of a rule, or the owners, who may be mailed now: users of the site, and others who agreed. */
async function mailAll(deps: AlertDeps, trx: Metadata, rule: Rule, told: Content) {
	const { siteId } = rule;
	const { organizationId = "" } = deps.sites.get(siteId) ?? {};
	const emails = rule.email_recipients.length > 0 ? rule.email_recipients : await ownerAddresses(trx, organizationId);
	const standings = await standingsOf(trx, { siteId, emails, nowMs: deps.clock.now() });
	const mailed = standings.filter(maybeMailed);
	for (const standing of mailed) {
		const mail = alertMail(siteName(deps, rule), rule, told);
		await deps.mailer.queue(trx, { to: standing.email, ...mail, ...wayOut(deps, rule, standing, mail.body) });
	}
	return { sent: mailed.length, leftOut: standings.length - mailed.length };
}

/** People from outside end the mails themselves; the others ask at their site. */
function wayOut(deps: AlertDeps, { siteId }: Rule, { name, email, askedAt }: Standing, body: readonly string[]) {
	if (name !== "agreed" || askedAt === undefined) return {};
	const unsubscribe = recipientLink(deps, { siteId, email, askedAt });
	return { unsubscribe, body: [...body, { link: unsubscribe, label: "Unsubscribe" }] };
}

// The three signs that mean something in a message (docs.slack.dev, "Formatting message text").
const slackText = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackBody = (site: string, { name }: Rule, { message, severity, isTest }: Content): string =>
	JSON.stringify({ text: slackText(`${isTest ? "Test: " : ""}[${severity}] ${site}: ${name}\n${message}`) });

interface Test extends Pick<Content, "message" | "severity"> {
	readonly userId: number;
}

/** Sends a test to the addresses of a rule, and a mail to the caller when the rule sends mails; answers whether anything went. */
export function sendTest(deps: AlertDeps, rule: Rule, { message, severity, userId }: Test): Promise<boolean> {
	const told = { message, severity, isTest: true };
	const data = { rule_name: rule.name, severity, message, metric: rule.metric, test: true };
	const happened = { id: uuid(), type: "alert.triggered", siteId: rule.siteId, occurredAt: deps.clock.now() } as const;
	const slack = slackBody(siteName(deps, rule), rule, told);
	return deps.metadata.transaction().execute(async (trx) => {
		const sent = [
			rule.notify_email && (await mailCaller(deps, trx, rule, { ...told, userId })),
			await post(deps, trx, rule, { channel: "slack", alertId: null, body: slack }),
			await post(deps, trx, rule, { channel: "webhook", alertId: null, body: eventBody({ ...happened, data }) }),
		];
		return sent.includes(true);
	});
}

async function mailCaller(deps: AlertDeps, trx: Metadata, rule: Rule, { userId, ...told }: Content & Test) {
	const user = await findUser(trx, userId);
	if (user === undefined) return false;
	await deps.mailer.queue(trx, { to: user.email, ...alertMail(siteName(deps, rule), rule, told) });
	return true;
}
