import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { choiceParameters, choose, readList } from "./list-answer.ts";
import { type Column, listKeys, listOf, lists } from "./lists.ts";

interface Parameter {
	readonly name: string;
	readonly schema: { readonly enum?: readonly string[]; readonly maximum?: number };
}
interface Schema {
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}
interface Operation {
	readonly parameters: readonly Parameter[];
	readonly responses: {
		readonly 200: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
	};
}
interface Api {
	readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
const api: Api = JSON.parse(readFileSync(new URL("../../../../../docs/openapi.json", import.meta.url), "utf8"));

/** The shape that a reference stands for. */
const shape = (schema: Schema | undefined): Schema =>
	schema?.$ref === undefined ? (schema ?? {}) : shape(api.components.schemas[schema.$ref.split("/").at(-1) ?? ""]);

for (const key of listKeys) {
	test(`the API tells and orders what the list ${key} shows`, () => {
		const list = lists[key];
		const path = list.route.replace("GET ", "/api/v1");
		const operation = api.paths[path]?.get;
		assert.ok(operation, path);
		const parameter = (name: string) => operation.parameters.find((one) => one.name === name)?.schema;
		const answer = shape(operation.responses[200].content["application/json"].schema);
		const row = Object.keys(shape(shape(answer.properties?.["data"]).items).properties ?? {});
		assert.deepEqual(
			[list.value, ...list.columns].filter((column) => !row.includes(column)),
			[],
		);
		if (list.largest !== undefined) {
			assert.equal(parameter("page_size")?.maximum, list.largest);
			assert.deepEqual(
				list.sorts.filter((sort) => !parameter("sort_by")?.enum?.includes(sort)),
				[],
			);
		}
		if (list.search !== undefined) assert.ok(parameter(list.search), "search");
		assert.equal(list.hasTotals ?? false, parameter("include_totals") !== undefined);
		assert.equal(list.hasVisitors ?? false, row.includes("visitors"));
	});
}

test("an address names a list or none", () => {
	assert.equal(listOf("sources"), lists.sources);
	assert.equal(listOf("toString"), undefined);
	assert.equal(listOf(undefined), undefined);
});

const all = { sort: "page_views" as Column, isRising: false, search: "", page: 1, size: 2 };
const groups = [
	{ content_grouping: "shop", page_views: 5, entrances: 2, unique_pages: 1 },
	{ content_grouping: "blog", page_views: 9, entrances: 1, unique_pages: 3 },
	{ content_grouping: "", page_views: 7, entrances: 4, unique_pages: 2 },
];

test("a list without pages of its own is ordered, searched and cut here", () => {
	const list = lists["content-groups"];
	assert.deepEqual(choiceParameters(list, all), {});
	const chosen = (choice: Partial<typeof all>) => {
		const answer = choose(list, readList(list, groups), { ...all, ...choice }, (value) => value || "No group");
		return [answer.rows.map(({ value }) => value), answer.total];
	};
	assert.deepEqual(chosen({}), [["blog", ""], 3]);
	assert.deepEqual(chosen({ page: 2 }), [["shop"], 3]);
	assert.deepEqual(chosen({ sort: "entrances", isRising: true }), [["blog", "shop"], 3]);
	assert.deepEqual(chosen({ search: "GROUP" }), [[""], 1]);
});

test("a list with pages is ordered, searched and cut by the server", () => {
	assert.deepEqual(choiceParameters(lists.pages, { ...all, search: "/docs", page: 3, isRising: true }), {
		sort_by: "page_views",
		sort_order: "asc",
		page: 3,
		page_size: 2,
		path_filter: "/docs",
	});
	assert.deepEqual(choiceParameters(lists.browsers, { ...all, search: "fire", page: 3 }), {
		sort_by: "page_views",
		sort_order: "desc",
		page_size: 100,
	});
});
