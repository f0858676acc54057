import { deviceTypes } from "../../../analytics/catalog/dimensions.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { queryDimensions, queryMetrics } from "../../reporting/query/index.ts";
import { type ReportTool, type RouteName, reportTools } from "./tools.ts";

/** The parts of a route's schema that tools are made from. */
interface JsonSchema {
	readonly type?: string;
	readonly description?: string;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly maximum?: number;
	readonly items?: JsonSchema;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly patternProperties?: unknown;
	readonly required?: readonly string[];
}

/** The prefix of the routes that tools ask. */
const API = "/api/v1";

export interface RouteCall extends RouteName {
	readonly payload?: object;
}

export interface RouteParameters {
	readonly route: RouteName;
	readonly query: JsonSchema;
	/** Undefined for a route without a body. */
	readonly body: JsonSchema | undefined;
}

export type Arguments = Readonly<Record<string, unknown>>;

type SchemaOf = (
	method: string,
	url: string,
) => { readonly querystring?: unknown; readonly body?: unknown } | undefined;

/**
 * Parameters of a route as declared, without those that have no effect. Throws if there is no such route, so that the
 * app does not start.
 */
function readParameters(schemaOf: SchemaOf, route: RouteName, idle: readonly string[] = []): RouteParameters {
	const schema = schemaOf(route.method, API + route.url);
	if (schema?.querystring === undefined) throw new Error(`No tool can ask ${route.method} ${route.url}`);
	const { properties = {}, ...query } = plain(schema.querystring);
	const useful = Object.entries(properties).filter(([name]) => !idle.includes(name));
	return {
		route,
		query: { ...query, properties: Object.fromEntries(useful) },
		body: schema.body === undefined ? undefined : plain(schema.body),
	};
}

/** The schema as it is sent: without what its library and our validation keep in it. */
const plain = (schema: unknown): JsonSchema =>
	JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith("x-") ? undefined : value)));

const names = (schema: JsonSchema | undefined, name: string) => Object.hasOwn(schema?.properties ?? {}, name);

/** True when the route has a parameter of this name. */
export const takes = ({ query, body }: RouteParameters, name: string): boolean =>
	names(query, name) || names(body, name);

/** The request that some arguments stand for; each goes where the route wants it. */
export function routeCall({ route, query, body }: RouteParameters, given: Arguments): RouteCall {
	const search = new URLSearchParams();
	const fields: [string, unknown][] = [];
	for (const [name, value] of Object.entries(given)) {
		if (!names(query, name)) fields.push([name, value]);
		else for (const item of [value].flat()) search.append(name, textOf(item));
	}
	const url = `${API}${route.url}?${search}`;
	if (body === undefined) return { method: route.method, url };
	return { method: route.method, url, payload: Object.fromEntries(fields) };
}

/** An unknown parameter is passed on, so that the route names the valid ones. */
const textOf = (value: unknown): string =>
	typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** A report tool with what its routes take. */
export interface ReadyTool {
	readonly tool: ReportTool;
	readonly inputSchema: InputSchema;
	readonly route: RouteParameters;
	readonly instead: RouteParameters | undefined;
}

/** Parameters of every report that are of no use to a model. */
const forPeople = ["explain"];

/** Every report tool by name; throws when one has no route, so that the app does not start. */
export function readyTools(schemaOf: Parameters<typeof readParameters>[0]): ReadonlyMap<string, ReadyTool> {
	return new Map(
		reportTools.map((tool) => {
			const idle = [...forPeople, ...(tool.idle ?? [])];
			const route = readParameters(schemaOf, tool.route, idle);
			const instead = tool.instead && readParameters(schemaOf, tool.instead.route, idle);
			return [tool.name, { tool, route, instead, inputSchema: inputSchemaOf(route, instead) }];
		}),
	);
}

/** Rows that a model gets unless it asks for more. */
const PAGE = 20;
const QUERY_PAGE = 50;

const itemsOf = (schema: JsonSchema, values: readonly string[]): JsonSchema => ({
	...schema,
	items: { ...schema.items, enum: values },
});

const orderable = [...queryDimensions, ...queryMetrics, "bounce_rate"];

const withEnum = (schema: JsonSchema | undefined, name: string, values: readonly string[]): JsonSchema => ({
	...schema,
	properties: { ...schema?.properties, [name]: { ...schema?.properties?.[name], enum: values } },
});

/** Parameters that a model sees differently from a program. */
const adjustments: Readonly<Record<string, (schema: JsonSchema) => JsonSchema>> = {
	site_id: (schema) => ({ ...schema, description: "Slug of the site; optional if you have access to one site only" }),
	compare: (schema) => ({
		...schema,
		enum: comparisonNames,
		description:
			"Also the period before, the same dates or the same weekdays a year earlier, or compare_start to compare_end",
	}),
	page_size: (schema) => ({ ...schema, default: PAGE }),
	limit: (schema) => ({ ...schema, default: QUERY_PAGE }),
	device_type: (schema) => itemsOf(schema, deviceTypes),
	dimensions: (schema) =>
		schema.items?.enum ? schema : { ...itemsOf(schema, queryDimensions), description: "At most ten" },
	metrics: (schema) => ({
		...itemsOf(schema, queryMetrics),
		description: "All but the last two when empty, by conversion_type those of events",
	}),
	order_by: (schema) => ({ ...schema, items: withEnum(schema.items, "field", orderable) }),
	filters: (schema) =>
		schema.type === "string"
			? {
					...schema,
					description:
						"field:operator:value entries separated by commas, e.g. country:in:ES|FR,path:starts_with:/blog,property.plan:eq:Pro; a wrong one is answered with all fields and operators",
				}
			: // Some clients take no patterns; the description says what there is.
				{ ...schema, patternProperties: undefined },
};

/** Aliases of other parameters: accepted, but not listed. */
const aliases: Readonly<Record<string, string>> = {
	account_id: "site_id",
	date_from: "start_date",
	date_to: "end_date",
};

const repeated = "; repeat it to allow several values";

/** A list of texts says itself that there may be several; some clients want the type of an enum, too. */
function toldToModels(schema: JsonSchema): JsonSchema {
	const { items, properties, description } = schema;
	return {
		...(schema.enum && { type: "string" }),
		...schema,
		...(description !== undefined && { description: description.replace(repeated, "") }),
		...(items && { items: toldToModels(items) }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, toldToModels(property)]),
			),
		}),
	};
}

const parameterOf = (name: string, schema: JsonSchema): JsonSchema =>
	toldToModels(adjustments[name]?.(schema) ?? schema);

/** Description of a tool's arguments in `tools/list`. */
export interface InputSchema {
	readonly type: "object";
	readonly properties: Record<string, JsonSchema>;
	readonly required: string[];
	readonly additionalProperties: false;
	readonly [more: string]: unknown;
}

/** The arguments of a tool: the parameters of its route, and of the one that may take its place as optional ones. */
function inputSchemaOf(route: RouteParameters, instead?: RouteParameters): InputSchema {
	const parts = [route.query, route.body ?? {}, instead?.query ?? {}, instead?.body ?? {}];
	const declared: Record<string, JsonSchema> = Object.assign({}, ...parts.map(({ properties }) => properties));
	const properties = Object.entries(declared)
		.filter(([name]) => !Object.hasOwn(aliases, name) || !Object.hasOwn(declared, String(aliases[name])))
		.map(([name, schema]) => [name, parameterOf(name, schema)] as const);
	const required = [route.query, route.body ?? {}].flatMap((part) =>
		(part.required ?? []).filter((name) => part.properties?.[name]?.default === undefined),
	);
	return { type: "object", properties: Object.fromEntries(properties), required, additionalProperties: false };
}
