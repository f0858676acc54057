import assert from "node:assert/strict";
import { after, test } from "node:test";
import { filterFields, filterOperators, operatorNames } from "../../src/analytics/query/question/filter-vocabulary.ts";
import type { EventQuery } from "../../src/platform/event-store/event-store.ts";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHits } from "../support/hits.ts";
import { namesSites, type Operation, type Parameter, statsOperations } from "../support/operations.ts";
import { testApp } from "../support/test-app.ts";

/** Stands in every hostile text, so that the text is found wherever it goes. */
const MARK = "zqx";

const hostile = [
	`${MARK}' OR 1=1 --`,
	`') UNION ALL SELECT '${MARK}' FROM system.tables --`,
	`${MARK}\\`,
	`\\'; DROP TABLE events; -- ${MARK}`,
	`{${MARK}:String}`,
	`${MARK}\0\n\t\r\b`,
	`"${MARK}\` /* */ \${1}`,
	`%_${MARK}[(*+?`,
	`😀 ${MARK} \u202e\ufeff`,
];

const days = { date_from: "2026-11-20", date_to: "2026-11-21" };
const filtersOf = (text: string) => ({ utm_source: [text, "b"], utm_campaign_not: text, browser_not: [text] });
const queryBody = (text: string) => ({
	...days,
	dimensions: ["utm_source", "browser"],
	filters: { ...filtersOf(text), path_contains: text, conversion_type: text },
});

const bodies: Readonly<Record<string, (text: string) => object>> = {
	"/api/v1/stats/explain": (text) => ({ ...days, metric: "revenue", compare: "previous", filters: filtersOf(text) }),
	"/api/v1/stats/funnel": (text) => ({ name: text, steps: [text, `/${text}*`, text] }),
	"/api/v1/stats/query": queryBody,
	"/api/v1/stats/query/export": queryBody,
};

let asked: EventQuery[] = [];
const app = await testApp({
	wrapEventStore: (store) => ({
		...store,
		query: (query) => {
			asked.push(query);
			return store.query(query);
		},
		stream: (query) => {
			asked.push(query);
			return store.stream(query);
		},
	}),
});
after(() => app.close());
const admin = await signIn(app, { role: "superadmin" });
const site = await createSite(app, admin);
const sites = [site, await createSite(app, admin, { name: "Other" })];
await sendHits(app, [
	{ site, url: "https://shop.example/" },
	{ site, url: "https://shop.example/", event: "purchase", amount: 5, properties: { size: "m" } },
]);
const operations = statsOperations(app);

/** Parameters without which a request is not understood. */
function needed({ path, parameters }: Operation): [string, string][] {
	if (path.includes("/aggregate/")) return sites.map((site) => ["account_ids", site]);
	const others = parameters.filter(
		(parameter) => parameter.required && parameter.in === "query" && !namesSites(parameter),
	);
	return [["site_id", site], ...others.map(({ name }): [string, string] => [name, "size"])];
}

async function send(operation: Operation, given: readonly (readonly [string, string])[], text = "plain") {
	const query = new URLSearchParams(needed(operation));
	for (const [name] of given) query.delete(name);
	for (const [name, value] of given) query.append(name, value);
	const url = `${operation.path.replace("{type}", encodeURIComponent(text))}?${query}`;
	const payload = bodies[operation.path]?.(text);
	return app.inject({ method: operation.method, url, headers: admin.headers, ...(payload && { payload }) });
}

const label = ({ method, path }: Operation, what: string) => `${method} ${path} ${JSON.stringify(what)}`;

const isFree = ({ name, in: place, schema }: Parameter) => {
	const text = schema.items ?? schema;
	const checked = ["country", "device_type", "filters", "segment", "segment_filters", "filename"].includes(name);
	return place === "query" && text.type === "string" && !text.enum && text.format === undefined && !checked;
};

async function refuseInSql(operation: Operation, given: readonly (readonly [string, string])[], text: string) {
	asked = [];
	const response = await send(operation, given, text);
	assert.ok(response.statusCode < 500, `${label(operation, text)}: ${response.statusCode} ${response.body}`);
	for (const { sql } of asked) assert.ok(!sql.includes(MARK), `${label(operation, text)}: ${sql}`);
	return response.statusCode;
}

test("hostile texts in all parameters of a route at once are answered, and none of them is in a statement", async () => {
	for (const [index, operation] of operations.entries()) {
		const free = operation.parameters.filter((parameter) => isFree(parameter) && !namesSites(parameter));
		// Each route is asked with some of the texts, and its neighbours with the others: they share their parameters.
		for (const text of hostile.filter((_, at) => at % 5 === index % 5)) {
			const given = free.map(({ name }) => [name, text.slice(0, 200)] as const);
			assert.equal(await refuseInSql(operation, given, text), 200, label(operation, text));
		}
	}
	assert.ok(asked.some(({ params }) => JSON.stringify(params ?? {}).includes(MARK)));
});

test("a hostile text in any one parameter that does not take every text ends in 200 or 4xx and in no statement", async () => {
	const [, text = ""] = hostile;
	const names = new Set<string>();
	for (const [index, operation] of operations.entries()) {
		for (const [at, parameter] of operation.parameters.entries()) {
			if (parameter.in !== "query" || isFree(parameter)) continue;
			// Routes share their parameters: each is asked on its first route and on every third.
			if (names.has(parameter.name) && at % 3 !== index % 3) continue;
			names.add(parameter.name);
			await refuseInSql(operation, [[parameter.name, text]], "plain");
		}
	}
});

test("hostile values of every filter field and operator end in 200 or 422 and in no statement", async () => {
	const fields = [...filterFields, "property.plan", `property.${MARK}']`];
	const operators = operatorNames(filterOperators);
	const overview = operations.find(({ path }) => path === "/api/v1/stats/overview");
	assert.ok(overview);
	const ask = async (field: string, operator: string, texts: readonly string[]) => {
		const entries = texts.map((text) => `${field}:${operator}:${text.replaceAll(",", "%2C")}`);
		const status = await refuseInSql(overview, [["filters", entries.join(",")]], texts.join());
		assert.ok(status === 200 || status === 422, `${field} ${operator} ${texts.join()}: ${status}`);
		return status;
	};
	for (const [index, field] of [...fields, `${MARK}'`].entries()) {
		for (const [at, operator] of [...operators, `${MARK}'`].entries()) {
			// All at once where all are taken; where one is refused, some alone, and the others for the next field or operator.
			if ((await ask(field, operator, hostile)) === 200) continue;
			const turn = (index + at) % 3;
			for (const text of hostile.filter((_, place) => place % 3 === turn)) await ask(field, operator, [text]);
		}
	}
});

test("hostile values of a segment in the address end in 200 or 422 and in no statement", async () => {
	const conditions = ["utm_source", "conversion_type"].flatMap((field) => hostile.map((value) => ({ field, value })));
	const groups = hostile.map((value) => ({ conditions: [{ field: "path", operator: "not_contains", value }] }));
	const written = JSON.stringify({ conditions, groups });
	for (const operation of operations) {
		if (!operation.parameters.some(({ name }) => name === "segment_filters")) continue;
		assert.equal(await refuseInSql(operation, [["segment_filters", written]], "plain"), 200, label(operation, written));
	}
});

const wrongByName: Readonly<Record<string, readonly string[]>> = {
	country: ["Spain", "", "E1"],
	device_type: ["watch", ""],
	filters: ["browser", "a:eq:b", "browser:like:b", "os:regex:("],
	segment_filters: ["", "{", JSON.stringify({ note: "x".repeat(8192) })],
};

/** Values that a parameter does not take, and the field that the answer names. */
function wrongValues({ name, schema }: Parameter): (readonly [value: string, field: string])[] {
	const field = `query.${name}`;
	const onField = (values: readonly string[]) => values.map((value) => [value, field] as const);
	const city = '{"conditions":[{"field":"city","value":"Rome"}]}';
	if (name === "segment_filters") {
		return [...onField(wrongByName.segment_filters ?? []), [city, `${field}.conditions.0.field`]];
	}
	if (wrongByName[name] !== undefined) return onField(wrongByName[name]);
	if (schema.items?.enum) return [["nonsense", `${field}.0`]];
	if (schema.enum) return onField(["nonsense", ""]);
	if (schema.format === "date") return onField(["2026-02-30", "20-11-2026", ""]);
	if (schema.type === "boolean") return onField(["maybe", ""]);
	return onField([
		...(schema.type === "integer" ? ["5x", "1.5", ""] : []),
		...(schema.minimum === undefined ? [] : [String(schema.minimum - 1)]),
		...(schema.maximum === undefined ? [] : [String(schema.maximum + 1)]),
		...(schema.maxLength === undefined ? [] : ["x".repeat(schema.maxLength + 1)]),
	]);
}

test("every wrong value of every parameter answers 422 and names the parameter", async () => {
	let checked = 0;
	for (const operation of operations) {
		for (const parameter of operation.parameters) {
			if (parameter.in !== "query" || namesSites(parameter)) continue;
			for (const [value, field] of wrongValues(parameter)) {
				const response = await send(operation, [[parameter.name, value]]);
				const about = `${label(operation, value)} ${parameter.name}: ${response.body}`;
				assert.equal(response.statusCode, 422, about);
				assert.equal(response.json().error.detail[0].field, field, about);
				checked += 1;
			}
		}
	}
	assert.ok(checked > 1000, String(checked));
});

test("an unknown segment answers 404, a range upside down or too long 400, on every route that takes them", async () => {
	for (const operation of operations) {
		const names = new Set(operation.parameters.map(({ name }) => name));
		if (names.has("segment")) {
			assert.equal((await send(operation, [["segment", "none"]])).statusCode, 404, label(operation, "segment"));
		}
		if (!names.has("start_date")) continue;
		for (const start of ["2026-11-21", "2020-01-01"]) {
			const days = Object.entries({ start_date: start, end_date: "2026-11-20" });
			assert.equal((await send(operation, days)).json().error?.code, "bad_request", label(operation, start));
		}
	}
});
