import { type Static, type TSchema, Type } from "typebox";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { AlertDeps } from "./deps.ts";
import { alertRules, listRulesWithAddresses, type RuleRow, type SealedColumns } from "./store.ts";
import {
	alertMetricNames,
	alertTypes,
	baselinePeriods,
	comparisonWindows,
	conditionTypes,
	customMetrics,
	directions,
	goalPeriods,
} from "./vocabulary.ts";

/** A field: its schema in the API, and its value in a new rule that leaves it out. */
const field = <Schema extends TSchema>(schema: Schema, initial: Static<Schema>) => ({
	schema,
	initial,
	withDefault: { ...schema, default: initial },
});

const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength });

const CustomCondition = Type.Object({
	metric: Type.Optional(OneOf(customMetrics, { description: "Required with `metric` `custom`" })),
	conversion_type: Type.Optional(text(1, 255)),
	utm_source: Type.Optional(
		Type.String({ minLength: 1, maxLength: 255, description: "Required with `source_change`" }),
	),
	filters: Type.Optional(Type.String({ maxLength: 1000, description: "Advanced filters", "x-characters": "any" })),
	period: Type.Optional(OneOf(goalPeriods, { description: "Required with `goal_reached`" })),
	goal_name: Type.Optional(text(1, 255)),
});

/** Conditions of a rule beyond its fields, as written by its author. */
export type CustomCondition = Static<typeof CustomCondition>;
export const customFields = Object.keys(CustomCondition.properties) as (keyof CustomCondition)[];

const Recipients = Type.Array(Type.String({ format: "email" }), {
	maxItems: 10,
	description:
		"Empty: the owners of the organization. Recipients who are not users of the site must confirm by mail first",
});

/** Editable fields of a rule except addresses. A field has the same name in the API and in the table. */
const ruleFields = {
	// Never left out.
	name: field(text(1, 255), ""),
	description: field(Nullable(Type.String({ maxLength: 1000, "x-characters": "lines" })), null),
	alert_type: field(OneOf(alertTypes), "traffic_spike"),
	metric: field(
		OneOf(alertMetricNames, { description: "Sessions and visitors are measured as entrances" }),
		"pageviews",
	),
	condition_type: field(OneOf(conditionTypes), "percentage_change"),
	threshold_value: field(Type.Number({ minimum: 0, maximum: 10_000 }), 50),
	threshold_direction: field(OneOf(directions), "both"),
	baseline_period: field(OneOf(baselinePeriods), "7d"),
	comparison_window: field(OneOf(comparisonWindows), "1h"),
	custom_condition: field(Nullable(CustomCondition), null),
	notify_email: field(Type.Boolean(), true),
	notify_slack: field(Type.Boolean(), false),
	notify_webhook: field(Type.Boolean({ description: "Applies to `custom_webhook_url` only" }), false),
	email_recipients: field(Recipients, []),
	cooldown_minutes: field(Type.Integer({ minimum: 5, maximum: 1440 }), 60),
	is_active: field(Type.Boolean(), true),
};

type Fields = typeof ruleFields;
type Name = keyof Fields;
export const fieldNames = Object.keys(ruleFields) as Name[];

/** A rule as its user decides it, but for its addresses. */
type RuleTerms = { readonly [N in Name]: Static<Fields[N]["schema"]> };

const eachField = <Part extends keyof Fields[Name]>(part: Part) =>
	Object.fromEntries(fieldNames.map((name) => [name, ruleFields[name][part]])) as { [N in Name]: Fields[N][Part] };

export const fieldSchemas = eachField("schema");

/** The same, with the value that a new rule gets when it leaves the field out. */
export const fieldSchemasWithDefaults = eachField("withDefault");

export const unsaid: RuleTerms = eachField("initial");

const named = <Terms extends Readonly<Record<Name, unknown>>>(terms: Terms) =>
	Object.fromEntries(fieldNames.map((name) => [name, terms[name]])) as Pick<Terms, Name>;

/** The columns of a rule: yes and no as 1 and 0, lists and objects as JSON. */
export const columnsOf = (terms: RuleTerms) => ({
	...named(terms),
	notify_email: Number(terms.notify_email),
	notify_slack: Number(terms.notify_slack),
	notify_webhook: Number(terms.notify_webhook),
	is_active: Number(terms.is_active),
	email_recipients: JSON.stringify(terms.email_recipients),
	custom_condition: terms.custom_condition && JSON.stringify(terms.custom_condition),
});

const termsOf = (row: RuleRow): RuleTerms => ({
	...named(row),
	notify_email: row.notify_email === 1,
	notify_slack: row.notify_slack === 1,
	notify_webhook: row.notify_webhook === 1,
	is_active: row.is_active === 1,
	email_recipients: JSON.parse(row.email_recipients),
	custom_condition: row.custom_condition === null ? null : JSON.parse(row.custom_condition),
});

/** Addresses that a rule posts to: secrets, as knowing one permits posting there. */
export interface Addresses {
	readonly slack_webhook_url: string | null;
	readonly custom_webhook_url: string | null;
}

export type RuleInput = RuleTerms & Addresses;

export type Rule = RuleTerms & {
	readonly id: number;
	readonly siteId: string;
	readonly stored: RuleRow;
};

export const ruleOf = (row: RuleRow): Rule => ({ ...termsOf(row), id: row.id, siteId: row.site_id, stored: row });

/** Keys are those of sites, so that an address copied to a rule of another one stays shut. */
const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "alert rules");

/** Knowing an address permits posting there, so it is stored sealed. */
const sealed = (secrets: ServerSecrets, siteId: string, url: string | null): string | null =>
	url === null ? null : sealerOf(secrets).seal(siteId, url);

export const sealedColumns = (
	secrets: ServerSecrets,
	siteId: string,
	{ slack_webhook_url, custom_webhook_url }: Partial<Addresses>,
): Partial<SealedColumns> => ({
	...(slack_webhook_url !== undefined && { sealed_slack_url: sealed(secrets, siteId, slack_webhook_url) }),
	...(custom_webhook_url !== undefined && { sealed_webhook_url: sealed(secrets, siteId, custom_webhook_url) }),
});

/** The address that was sealed; null when there is none, or neither of the server's secrets opens it. */
const opened = (secrets: ServerSecrets, siteId: string, text: string | null): string | null =>
	text === null ? null : (sealerOf(secrets).open(siteId, text) ?? null);

export const addressesOf = (secrets: ServerSecrets, row: SealedColumns & Pick<RuleRow, "site_id">): Addresses => ({
	slack_webhook_url: opened(secrets, row.site_id, row.sealed_slack_url),
	custom_webhook_url: opened(secrets, row.site_id, row.sealed_webhook_url),
});

export const maskedAddress = (url: string | null): string | null => (url === null ? null : `${new URL(url).origin}/…`);

export async function resealRules(deps: ServerSecrets & Pick<AlertDeps, "metadata">): Promise<number> {
	const reseal = (siteId: string, text: string | null) => (text === null ? null : sealerOf(deps).reseal(siteId, text));
	return resealRows(
		await listRulesWithAddresses(deps.metadata),
		(row) => ({
			sealed_slack_url: reseal(row.site_id, row.sealed_slack_url),
			sealed_webhook_url: reseal(row.site_id, row.sealed_webhook_url),
		}),
		// Addresses that were changed meanwhile stay.
		({ id, sealed_slack_url, sealed_webhook_url }, columns: SealedColumns) =>
			alertRules.update(deps.metadata, { id, sealed_slack_url, sealed_webhook_url }, columns),
	);
}
