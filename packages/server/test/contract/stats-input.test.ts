import assert from "node:assert/strict";
import { after, test } from "node:test";
import { filterFields, filterOperators, operatorNames } from "../../src/analytics/query/question/filter-vocabulary.ts";
import type { EventQuery } from "../../src/platform/event-store/event-store.ts";
import { addressOf, withQuery } from "../support/access-targets.ts";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHits } from "../support/hits.ts";
import { hostile, MARK, share } from "../support/hostile-texts.ts";
import { namesSites, type Operation, type Parameter, statsOperations } from "../support/operations.ts";
import { testApp } from "../support/test-app.ts";

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
await createSite(app, admin, { name: "Other" });
await sendHits(app, [
	{ site, url: "https://shop.example/" },
	{ site, url: "https://shop.example/", event: "purchase", amount: 5, properties: { plan: "m" } },
]);
const operations = statsOperations(app);

async function send(operation: Operation, given: readonly (readonly [string, string])[], text = "plain") {
	const url = withQuery(addressOf(operation, { type: text }, site), given);
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
	let bound = 0;
	for (const [index, operation] of operations.entries()) {
		const free = operation.parameters.filter((parameter) => isFree(parameter) && !namesSites(parameter));
		// Each route is asked with one of the texts, and its neighbours with the others: they share their parameters.
		const text = hostile[index % hostile.length] ?? "";
		const given = free.map(({ name }) => [name, text.slice(0, 200)] as const);
		assert.equal(await refuseInSql(operation, given, text), 200, label(operation, text));
		if (asked.some(({ params }) => JSON.stringify(params ?? {}).includes(MARK))) bound += 1;
	}
	assert.ok(bound > 20, String(bound));
});

/** Parameters of the routes, each on its first route and on every third one that has it. */
function* sharedParameters(): Generator<readonly [Operation, Parameter]> {
	const names = new Set<string>();
	for (const [index, operation] of operations.entries()) {
		for (const [at, parameter] of operation.parameters.entries()) {
			if (parameter.in !== "query" || namesSites(parameter)) continue;
			if (!names.has(parameter.name) || at % 3 === index % 3) yield [operation, parameter];
			names.add(parameter.name);
		}
	}
}

test("a hostile text in any one parameter that does not take every text ends in 200 or 4xx and in no statement", async () => {
	const [, text = ""] = hostile;
	for (const [operation, parameter] of sharedParameters()) {
		if (!isFree(parameter)) await refuseInSql(operation, [[parameter.name, text]], "plain");
	}
});

test("hostile values of every filter field and operator end in 200 or 422 and in no statement", async () => {
	const fields = [...filterFields, "property.plan", `property.${MARK}']`, `${MARK}'`];
	const operators = [...operatorNames(filterOperators), `${MARK}'`];
	const overview = operations.find(({ path }) => path === "/api/v1/stats/overview") ?? assert.fail();
	const ask = async (field: string, operator: string, texts: readonly string[]) => {
		const entries = texts.map((text) => `${field}:${operator}:${text.replaceAll(",", "%2C")}`);
		const status = await refuseInSql(overview, [["filters", entries.join(",")]], texts.join());
		assert.ok(status === 200 || status === 422, `${field} ${operator} ${texts.join()}: ${status}`);
		return status;
	};
	for (const [index, field] of fields.entries()) {
		for (const operator of share(operators, index, 4)) {
			// All at once where all are taken; where one is refused, some alone, and the others for the next field.
			if ((await ask(field, operator, hostile)) === 200) continue;
			for (const text of share(hostile, index)) await ask(field, operator, [text]);
		}
	}
});

test("hostile values of a segment in the address end in 200 or 422 and in no statement", async () => {
	const fields = ["utm_source", "conversion_type"];
	const conditions = hostile.map((value, at) => ({ field: fields[at % 2], value }));
	const path = share(hostile, 0, 2).map((value) => ({ field: "path", operator: "not_contains", value }));
	const groups = path.map((condition) => ({ conditions: [condition] }));
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
	for (const [operation, parameter] of sharedParameters()) {
		for (const [value, field] of wrongValues(parameter)) {
			const response = await send(operation, [[parameter.name, value]]);
			const about = `${label(operation, value)} ${parameter.name}: ${response.body}`;
			assert.equal(response.statusCode, 422, about);
			assert.equal(response.json().error.detail[0].field, field, about);
			checked += 1;
		}
	}
	assert.ok(checked > 300, String(checked));
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
