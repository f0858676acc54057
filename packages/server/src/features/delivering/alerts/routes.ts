import type { Static } from "typebox";
import { AccountQuery, readingAccount, roleReaches, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { given } from "../../../platform/lib/given.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import { changeRule, createRule, getRule, openedRule, removeRule } from "./change-rules.ts";
import type { AlertDeps } from "./deps.ts";
import { testRule } from "./evaluate.ts";
import { goalProgress } from "./goals.ts";
import { closeWithin } from "./incidents.ts";
import type { EvaluationDeps } from "./read-values.ts";
import {
	type Addresses,
	type CustomCondition,
	customFields,
	fieldNames,
	maskedAddress,
	type Rule,
	type RuleInput,
	resealRules,
	ruleOf,
	unsaid,
} from "./rule-fields.ts";
import {
	Alert,
	AlertList,
	AlertParams,
	AlertStats,
	ChangeAlertBody,
	ChangeRuleBody,
	CreateRuleBody,
	HistoryQuery,
	RuleList,
	RuleParams,
	Rule as RuleSchema,
	RuleState,
	RulesQuery,
	TestBody,
	TestResult,
} from "./schemas.ts";
import { type AlertRow, alertHistory, alertRules, alertStats } from "./store.ts";
import { type AlertStatus, channels, type SettableStatus } from "./vocabulary.ts";

/** A rule on the wire. An address of Slack is a secret like a password; the other one is whole for those who may change it. */
function presentRule({ siteId, stored, ...rule }: Rule & Addresses, mayChange: boolean) {
	const { slack_webhook_url: slackUrl, custom_webhook_url: webhookUrl } = rule;
	return {
		...rule,
		...presentRow(RuleState, stored),
		account_id: siteId,
		slack_webhook_url: maskedAddress(slackUrl),
		custom_webhook_url: mayChange ? webhookUrl : maskedAddress(webhookUrl),
	};
}

const presentAlert = (row: AlertRow) => {
	const sent = channels.filter((channel) => row[`${channel}_sent`] === 1);
	return {
		...presentRow(Alert, row),
		account_id: row.site_id,
		context:
			row.context === null ? null : ({ ...JSON.parse(row.context) } as CustomCondition & Record<string, unknown>),
		notification_sent: sent.length > 0,
		notification_channels: sent,
	};
};

/** Rule fields of a body. Bodies may have unknown fields, so the known ones are picked by name. */
function parseChanges(body: Static<typeof ChangeRuleBody>): Partial<RuleInput> {
	const { email_recipients: emails, custom_condition: custom } = body;
	return {
		...given(body, [...fieldNames, "slack_webhook_url", "custom_webhook_url"]),
		...(emails && { email_recipients: [...new Set(emails.map(normalizeEmail))] }),
		...(custom && { custom_condition: given(custom, customFields) }),
	};
}

/** A new rule, which is looked at whatever the body says. */
const parseRule = (body: Static<typeof CreateRuleBody>): RuleInput => ({
	...unsaid,
	// Refused hits are known for no longer. A window of the same length is refused by itself.
	...(body.alert_type === "error_rate" && body.comparison_window !== "24h" && { baseline_period: "24h" as const }),
	slack_webhook_url: null,
	custom_webhook_url: null,
	...parseChanges(body),
	is_active: unsaid.is_active,
});

const tags = ["Alerts"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("editor") };
const tooMany = { description: "`conflict`: the site has 100 rules", ...ErrorRef };

/** Tests that send something call the servers that a rule names; the others are questions like any. */
const testing: RouteLimit = {
	name: "alert-test",
	max: 30,
	windowMs: HOUR_MS,
	by: (request) => (sends(request.body as Static<typeof TestBody>) ? String(request.caller.userId) : undefined),
};

type OfSite = { readonly site: { readonly role: Parameters<typeof roleReaches>[0] } };

const shown = (request: OfSite, rule: Rule & Addresses) => presentRule(rule, roleReaches(request.site.role, "editor"));

export function registerAlertRoutes(app: App, deps: EvaluationDeps): void {
	app.onStoreReady(async () => {
		const rules = await resealRules(deps);
		if (rules === 0) return;
		app.log.warn(
			{ rules },
			"Addresses of alert rules were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS",
		);
	});
	const { metadata } = deps;
	addRoute(app, "GET /alerts/rules", {
		...reading,
		summary: "Alert rules of a site",
		querystring: RulesQuery,
		answer: RuleList,
		handler: async (request) => {
			const { include_inactive: withInactive, include_progress: withProgress } = request.query;
			const where = { site_id: request.site.id, ...(!withInactive && { is_active: 1 }) };
			const rules = (await alertRules.list(metadata, where, "id")).map((row) => openedRule(deps, row));
			const progress = withProgress ? await goalProgress(deps, rules) : new Map<number, number>();
			const withValue = (rule: Rule & Addresses) => {
				const value = progress.get(rule.id);
				return { ...shown(request, rule), ...(value !== undefined && { progress: value }) };
			};
			return { rules: rules.map(withValue), total: rules.length };
		},
	});
	addRoute(app, "GET /alerts/rules/:id", {
		...reading,
		summary: "One alert rule",
		params: RuleParams,
		answer: RuleSchema,
		handler: async (request) =>
			shown(request, openedRule(deps, await getRule(metadata, request.site.id, request.params.id))),
	});
	addRoute(app, "POST /alerts/rules", {
		...writing,
		summary: "Create an alert rule",
		body: CreateRuleBody,
		status: 201,
		answer: RuleSchema,
		errors: { 409: tooMany },
		handler: async (request) => shown(request, await createRule(deps, siteChangeOf(request), parseRule(request.body))),
	});
	addRoute(app, "PATCH /alerts/rules/:id", {
		...writing,
		summary: "Change an alert rule, or disable it",
		params: RuleParams,
		body: ChangeRuleBody,
		answer: RuleSchema,
		handler: async (request) => {
			const changes = parseChanges(request.body);
			return shown(request, await changeRule(deps, siteChangeOf(request), request.params.id, changes));
		},
	});
	addRoute(app, "DELETE /alerts/rules/:id", {
		...writing,
		summary: "Remove an alert rule; its history stays",
		params: RuleParams,
		empty: "Removed",
		handler: (request) => removeRule(deps, siteChangeOf(request), request.params.id),
	});
	addRoute(app, "POST /alerts/rules/:id/test", {
		...writing,
		summary: "Test an alert rule and send a test notification",
		params: RuleParams,
		body: TestBody,
		limit: [testing],
		answer: TestResult,
		handler: async (request) => {
			const row = await getRule(deps.metadata, request.site.id, request.params.id);
			return testRule(deps, ruleOf(row), { sends: sends(request.body), userId: request.caller.userId });
		},
	});
	registerHistory(app, deps);
}

const sends = (body: Static<typeof TestBody> | undefined): boolean => body?.send_notification ?? true;

/** States with the states before them; an ended alert does not begin again. */
const reachedFrom: Readonly<Record<SettableStatus, readonly AlertStatus[]>> = {
	acknowledged: ["active", "acknowledged"],
	resolved: ["active", "acknowledged", "resolved"],
	false_positive: ["active", "acknowledged", "resolved", "false_positive"],
};

/** Notes what a user makes of an entry; `resolved` and `false_positive` close its incident. Throws `not_found` and `conflict`. */
function judgeAlert(
	deps: Pick<AlertDeps, "metadata" | "clock" | "events">,
	{ siteId, id, userId }: { readonly siteId: string; readonly id: number; readonly userId: number },
	{ status: wanted, notes }: Static<typeof ChangeAlertBody>,
): Promise<AlertRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const known = await alertHistory.find(trx, { site_id: siteId, id });
		if (known === undefined) throw new ServiceError("not_found", { message: "Alert not found" });
		const status = wanted ?? (known.status === "active" ? "acknowledged" : known.status);
		if (status !== "acknowledged") await closeWithin(deps, trx, known, { status });
		const changed = await alertHistory.update(
			trx,
			{ site_id: siteId, id, status: reachedFrom[status] },
			{
				status,
				...(known.acknowledged_at === null && { acknowledged_at: nowMs, acknowledged_by: userId }),
				...(notes !== undefined && { notes }),
			},
		);
		if (changed === undefined) throw new ServiceError("conflict", { message: `The alert is ${known.status} already` });
		return changed;
	});
}

/** The moments between which days of a time zone lie; throws `bad_request` when they end before they begin. */
function stretchOf({ from_date: from, to_date: to }: Static<typeof HistoryQuery>, timezone: string) {
	if (from !== undefined && to !== undefined && from > to) {
		throw new ServiceError("bad_request", { message: "from_date must not be after to_date" });
	}
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	return {
		">=": from === undefined ? undefined : startOf(Temporal.PlainDate.from(from)),
		"<": to === undefined ? undefined : startOf(Temporal.PlainDate.from(to).add({ days: 1 })),
	};
}

function registerHistory(app: App, deps: AlertDeps): void {
	addRoute(app, "GET /alerts/history", {
		...reading,
		summary: "Alerts",
		querystring: HistoryQuery,
		answer: AlertList,
		errors: errorAnswers("bad_request"),
		handler: async (request) => {
			const { site, query } = request;
			const triggered_at = stretchOf(query, site.timezone);
			const where = { ...given(query, ["rule_id", "status"]), site_id: site.id, triggered_at };
			const { rows, total } = await alertHistory.page(deps.metadata, where, ["triggered_at desc", "id desc"], query);
			return { alerts: rows.map(presentAlert), total };
		},
	});
	addRoute(app, "PATCH /alerts/history/:alert_id", {
		...writing,
		summary: "Acknowledge, resolve or dismiss an alert",
		params: AlertParams,
		body: ChangeAlertBody,
		answer: Alert,
		errors: { 409: { description: "`conflict`: the alert has ended", ...ErrorRef } },
		handler: async (request) => {
			const { site, params, caller, body } = request;
			const by = { siteId: site.id, id: params.alert_id, userId: caller.userId };
			return presentAlert(await judgeAlert(deps, by, body));
		},
	});
	addRoute(app, "GET /alerts/stats", {
		...reading,
		summary: "Number of alerts",
		answer: AlertStats,
		handler: async ({ site }) => ({
			active_rules: await alertRules.count(deps.metadata, { site_id: site.id, is_active: 1 }),
			...(await alertStats(deps.metadata, site.id, deps.clock.now())),
		}),
	});
}
