import type { Static } from "typebox";
import { AccountQuery, readingAccount, roleReaches, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { given } from "../../../platform/lib/given.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import { changeRule, createRule, openedRule, removeRule, ruleNotFound } from "./change-rules.ts";
import type { AlertDeps } from "./deps.ts";
import { goalProgress } from "./goals.ts";
import { registerHistory } from "./history-routes.ts";
import { presentRule } from "./present.ts";
import type { EvaluationDeps } from "./read-values.ts";
import { type Addresses, customFields, fieldNames, type Rule, type RuleInput, ruleOf, unsaid } from "./rule-fields.ts";
import {
	ChangeRuleBody,
	CreateRuleBody,
	RuleList,
	RuleParams,
	Rule as RuleSchema,
	RulesQuery,
	TestBody,
	TestResult,
} from "./schemas.ts";
import { resealRules } from "./sealed-addresses.ts";
import { findRule, listRules } from "./store.ts";
import { testRule } from "./test-rule.ts";

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

export function registerAlertRoutes(app: App, deps: EvaluationDeps): void {
	app.onStoreReady(async () => {
		const rules = await resealRules(deps);
		if (rules === 0) return;
		app.log.warn(
			{ rules },
			"Addresses of alert rules were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS",
		);
	});
	registerReads(app, deps);
	registerWrites(app, deps);
	registerHistory(app, deps);
}

type OfSite = { readonly site: { readonly role: Parameters<typeof roleReaches>[0] } };

const shown = (request: OfSite, rule: Rule & Addresses) => presentRule(rule, roleReaches(request.site.role, "editor"));

function registerReads(app: App, deps: AlertDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /alerts/rules", {
		...reading,
		summary: "Alert rules of a site",
		querystring: RulesQuery,
		answer: RuleList,
		handler: async (request) => {
			const { include_inactive: withInactive, include_progress: withProgress } = request.query;
			const rules = (await listRules(metadata, request.site.id, withInactive)).map((row) => openedRule(deps, row));
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
		handler: async (request) => {
			const row = await findRule(metadata, request.site.id, request.params.id);
			if (row === undefined) throw ruleNotFound();
			return shown(request, openedRule(deps, row));
		},
	});
}

function registerWrites(app: App, deps: EvaluationDeps): void {
	addRoute(app, "POST /alerts/rules", {
		...writing,
		summary: "Create an alert rule",
		body: CreateRuleBody,
		status: 201,
		answer: RuleSchema,
		errors: { 409: tooMany },
		handler: async (request) => {
			const by = { site: request.site, actor: actorOf(request) };
			const rule = await createRule(deps, by, parseRule(request.body));
			return shown(request, rule);
		},
	});
	addRoute(app, "PATCH /alerts/rules/:id", {
		...writing,
		summary: "Change an alert rule, or disable it",
		params: RuleParams,
		body: ChangeRuleBody,
		answer: RuleSchema,
		handler: async (request) => {
			const by = { site: request.site, actor: actorOf(request) };
			return shown(request, await changeRule(deps, by, request.params.id, parseChanges(request.body)));
		},
	});
	addRoute(app, "DELETE /alerts/rules/:id", {
		...writing,
		summary: "Remove an alert rule; its history stays",
		params: RuleParams,
		empty: "Removed",
		handler: async (request) => {
			await removeRule(deps, { site: request.site, actor: actorOf(request) }, request.params.id);
		},
	});
	addRoute(app, "POST /alerts/rules/:id/test", {
		...writing,
		summary: "Test an alert rule and send a test notification",
		params: RuleParams,
		body: TestBody,
		limit: [testing],
		answer: TestResult,
		handler: async (request) => {
			const row = await findRule(deps.metadata, request.site.id, request.params.id);
			if (row === undefined) throw ruleNotFound();
			return testRule(deps, ruleOf(row), { sends: sends(request.body), userId: request.caller.userId });
		},
	});
}

const sends = (body: Static<typeof TestBody> | undefined): boolean => body?.send_notification ?? true;
