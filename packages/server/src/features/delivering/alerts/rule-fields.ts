import { type Static, type TSchema, type TSchemaOptions, Type } from "typebox";
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

/** A field: its schema in the API, its default in a new rule, and its form in the column. */
const field = <Schema extends TSchema, Column>(
	schema: Schema,
	initial: Static<Schema>,
	column: { toColumn: (value: Static<Schema>) => Column; fromColumn: (column: Column) => Static<Schema> },
) => ({ schema, initial, withDefault: { ...schema, default: initial }, ...column });

/** One that its column holds as it is. */
const plain = <Schema extends TSchema>(schema: Schema, initial: Static<Schema>) =>
	field(schema, initial, {
		toColumn: (value: Static<Schema>): Static<Schema> => value,
		fromColumn: (column: Static<Schema>): Static<Schema> => column,
	});

/** A yes or no: 1 or 0 in the column. */
const flag = (initial: boolean, options: TSchemaOptions = {}) =>
	field(Type.Boolean(options), initial, {
		toColumn: (value: boolean): number => (value ? 1 : 0),
		fromColumn: (column: number) => column === 1,
	});

/** A list, as JSON in the column. */
const list = <Schema extends TSchema>(schema: Schema, initial: Static<Schema>) =>
	field(schema, initial, {
		toColumn: (value: Static<Schema>) => JSON.stringify(value),
		fromColumn: (column: string): Static<Schema> => JSON.parse(column),
	});

/** An object, as JSON in the column, or nothing. */
const object = <Schema extends TSchema>(schema: Schema) =>
	field(Nullable(schema), null, {
		toColumn: (value: Static<Schema> | null) => (value === null ? null : JSON.stringify(value)),
		fromColumn: (column: string | null): Static<Schema> | null => (column === null ? null : JSON.parse(column)),
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
	name: plain(text(1, 255), ""),
	description: plain(Nullable(Type.String({ maxLength: 1000, "x-characters": "lines" })), null),
	alert_type: plain(OneOf(alertTypes), "traffic_spike"),
	metric: plain(
		OneOf(alertMetricNames, { description: "Sessions and visitors are measured as entrances" }),
		"pageviews",
	),
	condition_type: plain(OneOf(conditionTypes), "percentage_change"),
	threshold_value: plain(Type.Number({ minimum: 0, maximum: 10_000 }), 50),
	threshold_direction: plain(OneOf(directions), "both"),
	baseline_period: plain(OneOf(baselinePeriods), "7d"),
	comparison_window: plain(OneOf(comparisonWindows), "1h"),
	custom_condition: object(CustomCondition),
	notify_email: flag(true),
	notify_slack: flag(false),
	notify_webhook: flag(false, { description: "Applies to `custom_webhook_url` only" }),
	email_recipients: list(Recipients, []),
	cooldown_minutes: plain(Type.Integer({ minimum: 5, maximum: 1440 }), 60),
	is_active: flag(true),
};

type Fields = typeof ruleFields;
type Name = keyof Fields;
export const fieldNames = Object.keys(ruleFields) as Name[];

/** A rule as its user decides it, but for its addresses. */
type RuleTerms = { readonly [N in Name]: ReturnType<Fields[N]["fromColumn"]> };
type Schemas = { [N in Name]: Fields[N]["schema"] };
type SchemasWithDefaults = { [N in Name]: Fields[N]["withDefault"] };
type RuleColumns = { [N in Name]: ReturnType<Fields[N]["toColumn"]> };

interface Field<N extends Name> {
	readonly schema: Schemas[N];
	readonly withDefault: SchemasWithDefaults[N];
	readonly initial: RuleTerms[N];
	readonly toColumn: (value: RuleTerms[N]) => RuleColumns[N];
	readonly fromColumn: (column: RuleColumns[N]) => RuleTerms[N];
}
const fields: { readonly [N in Name]: Field<N> } = ruleFields;

/** An object with something for each field, made name by name. */
const ofEach = <Out extends Record<Name, unknown>>(of: <N extends Name>(name: N) => Out[N]): Out =>
	Object.fromEntries(fieldNames.map((name) => [name, of(name)]));

export const fieldSchemas = ofEach<Schemas>((name) => fields[name].schema);

/** The same, with the value that a new rule gets when it leaves the field out. */
export const fieldSchemasWithDefaults = ofEach<SchemasWithDefaults>((name) => fields[name].withDefault);

export const unsaid = ofEach<RuleTerms>((name) => fields[name].initial);

export const columnsOf = (terms: RuleTerms): RuleColumns => ofEach((name) => fields[name].toColumn(terms[name]));

const termsOf = (row: RuleColumns): RuleTerms => ofEach((name) => fields[name].fromColumn(row[name]));

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
