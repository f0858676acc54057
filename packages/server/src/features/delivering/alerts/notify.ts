import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import { findUser } from "../../people/users/index.ts";
import { eventBody } from "../domain-events/index.ts";
import { maybeMailed, ownerAddresses, recipientLink, type Standing, standingsOf } from "../mail-recipients/index.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, noteNotification } from "./history-store.ts";
import { post } from "./posts.ts";
import type { Rule } from "./rule-fields.ts";
import type { ComparisonWindow } from "./vocabulary.ts";

const windowNames: Readonly<Record<ComparisonWindow, string>> = {
	"15m": "15 minutes",
	"1h": "hour",
	"6h": "6 hours",
	"24h": "24 hours",
};

const metricNames: Readonly<Record<Rule["metric"], string>> = {
	pageviews: "Page views",
	sessions: "Sessions",
	visitors: "Visitors",
	entrances: "Entrances",
	bounce_rate: "Bounce rate",
	conversions: "Conversions",
	conversion_rate: "Conversion rate",
	custom: "Measured value",
};

/** The measured quantity of a rule, in words. */
function subjectOf(rule: Pick<Rule, "alert_type" | "metric" | "custom_condition">): string {
	const { alert_type: type, metric, custom_condition: custom } = rule;
	if (type === "error_rate") return "Rejected hits, in percent";
	if (type === "source_change") return `Entrances from ${custom?.utm_source ?? ""}`;
	const name = metric === "custom" ? (custom?.metric ?? "").replaceAll("_", " ") : metricNames[metric];
	return name === "" ? metricNames.custom : name.charAt(0).toUpperCase() + name.slice(1);
}

export function messageOf(
	rule: Pick<Rule, "alert_type" | "metric" | "custom_condition" | "comparison_window" | "condition_type">,
	{
		current_value: value,
		expected_value: expected,
		change_percentage: change,
	}: Pick<AlertRow, "current_value" | "expected_value" | "change_percentage">,
): string {
	const found = `${subjectOf(rule)}: ${value} in the last ${windowNames[rule.comparison_window]}`;
	if (rule.condition_type === "absolute_threshold") return `${found}, threshold ${expected}`;
	const against = rule.condition_type === "rate_of_change" ? "in the one before" : "expected";
	const percent = change === null ? "" : ` (${change > 0 ? "+" : ""}${change} %)`;
	return `${found}, ${expected} ${against}${percent}`;
}

export const goalMessageOf = (
	rule: Pick<Rule, "alert_type" | "metric" | "custom_condition" | "threshold_value">,
	value: number,
): string =>
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
async function mailAll(
	deps: AlertDeps,
	trx: Metadata,
	rule: Rule,
	told: Content,
): Promise<{ readonly sent: number; readonly leftOut: number }> {
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
	const event = {
		id: uuid(),
		type: "alert.triggered",
		siteId: rule.siteId,
		occurredAt: deps.clock.now(),
		data,
	} as const;
	const slack = slackBody(siteName(deps, rule), rule, told);
	return deps.metadata.transaction().execute(async (trx) => {
		const sent = [
			rule.notify_email && (await mailCaller(deps, trx, rule, { ...told, userId })),
			await post(deps, trx, rule, { channel: "slack", alertId: null, body: slack }),
			await post(deps, trx, rule, { channel: "webhook", alertId: null, body: eventBody(event) }),
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
