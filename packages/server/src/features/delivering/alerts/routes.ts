import { type Static, Type } from "typebox";
import { account, roleReaches } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Id, Nullable, OneOf, optionalBody, Timestamp } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { given } from "../../../platform/lib/given.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import { changeRule, createRule, getRule, openedRule, removeRule } from "./change-rules.ts";
import { TestResult, testRule } from "./evaluate.ts";
import { goalProgress } from "./goals.ts";
import { reading, registerHistory, writing } from "./history-routes.ts";
import type { EvaluationDeps } from "./read-values.ts";
import {
	type Addresses,
	customFields,
	fieldNames,
	fieldSchemas,
	fieldSchemasWithDefaults,
	maskedAddress,
	type Rule,
	type RuleInput,
	resealRules,
	ruleOf,
	unsaid,
} from "./rule-fields.ts";
import { alertRules } from "./store.ts";
import { ruleStates } from "./vocabulary.ts";

const RuleParams = Type.Object({ id: Id() });

const url = (description: string) =>
	Nullable(Type.String({ minLength: 1, maxLength: 500 }), { description: `${description}; https, a public address` });
const addresses = {
	slack_webhook_url: url("A Slack incoming webhook"),
	custom_webhook_url: url("Receives the events of this rule as JSON"),
};

/** `chosen`: every field that has a value of its own when it is not given. */
const { name, description, custom_condition, is_active, ...chosen } = fieldSchemas;
const { name: _, description: __, custom_condition: ___, is_active: ____, ...preset } = fieldSchemasWithDefaults;
const nullable = { description, custom_condition, ...addresses };

const CreateRuleBody = Type.Object({
	name,
	...preset,
	baseline_period: Type.Optional({
		...chosen.baseline_period,
		description: `Default: \`${unsaid.baseline_period}\`, with \`alert_type\` \`error_rate\` \`24h\``,
	}),
	...Type.Partial(Type.Object(nullable)).properties,
});
const ChangeRuleBody = Type.Partial(Type.Object({ name, ...chosen, ...nullable, is_active }));

const RuleState = Type.Object({
	state: OneOf(ruleStates, { description: "`firing`: the condition is met, or an incident is open" }),
	last_evaluated_at: Nullable(Timestamp()),
	trigger_count: Type.Integer(),
	last_triggered_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
});

const RuleAnswer = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	name: Type.String(),
	description: Nullable(Type.String()),
	...chosen,
	custom_condition,
	slack_webhook_url: Nullable(Type.String(), {
		description: "Truncated after the host. Sent back unchanged, it keeps its value",
	}),
	custom_webhook_url: Nullable(Type.String(), {
		description: "Truncated after the host for users who may not change the rule",
	}),
	is_active,
	...RuleState.properties,
	progress: Type.Optional(
		Type.Number({ description: "Value of a goal in its current period; only with `include_progress`" }),
	),
});

const TestBody = Type.Object(
	{
		send_notification: Type.Boolean({
			default: true,
			description: "Sent to the rule's channels; mail only to the caller",
		}),
	},
	optionalBody,
);

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
		querystring: Type.Object({
			...account,
			include_inactive: Type.Boolean({ default: false }),
			include_progress: Type.Boolean({ default: false, description: "Adds `progress` to goals" }),
		}),
		answer: Type.Object({ rules: Type.Array(RuleAnswer), total: Type.Integer() }),
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
		answer: RuleAnswer,
		handler: async (request) =>
			shown(request, openedRule(deps, await getRule(metadata, request.site.id, request.params.id))),
	});
	addRoute(app, "POST /alerts/rules", {
		...writing,
		summary: "Create an alert rule",
		body: CreateRuleBody,
		status: 201,
		answer: RuleAnswer,
		errors: { 409: tooMany },
		handler: async (request) => shown(request, await createRule(deps, siteChangeOf(request), parseRule(request.body))),
	});
	addRoute(app, "PATCH /alerts/rules/:id", {
		...writing,
		summary: "Change an alert rule, or disable it",
		params: RuleParams,
		body: ChangeRuleBody,
		answer: RuleAnswer,
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
