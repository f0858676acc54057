import assert from "node:assert/strict";
import { test } from "node:test";
import { type TSchema, Type } from "typebox";
import { ServiceError } from "../errors/service-error.ts";
import { Nullable, OneOf } from "./schemas.ts";
import { compileValidator } from "./validate.ts";

function faultsOf(schema: TSchema, httpPart: "body" | "querystring", value: unknown) {
	const check = compileValidator({ schema, httpPart, method: "POST", url: "/things" });
	const { error } = check(value) as { error?: unknown };
	assert.ok(error instanceof ServiceError && error.detail !== undefined);
	return error.detail.map(({ field, message, type }) => [field, message, type]);
}

const Texts = Type.Union([Type.String({ maxLength: 3 }), Type.Array(Type.String(), { minItems: 1 })]);
const Body = Type.Object({
	texts: Type.Optional(Texts),
	hours: Type.Optional(Type.Union([Type.Integer({ maximum: 23 }), Type.Array(Type.Integer({ maximum: 23 }))])),
	note: Type.Optional(Nullable(Type.String({ maxLength: 3 }))),
	list: Type.Optional(Type.Array(Type.Object({ value: Texts }))),
	version: Type.Optional(Type.Literal(1)),
});

test("a value that may have several forms is told all of them when it has none", () => {
	for (const value of [1, null, {}, true]) {
		assert.deepEqual(faultsOf(Body, "body", { texts: value }), [
			["body.texts", "must be string or array", "string_type"],
		]);
	}
	assert.deepEqual(faultsOf(Body, "body", { note: 1 }), [["body.note", "must be string or null", "string_type"]]);
});

test("a value that has one of its forms is told what that one lacks", () => {
	assert.deepEqual(faultsOf(Body, "body", { texts: [], note: "long" }), [
		["body.texts", "must NOT have fewer than 1 items", "minItems"],
		["body.note", "must NOT have more than 3 characters", "maxLength"],
	]);
	assert.deepEqual(faultsOf(Body, "body", { texts: ["a", 1], hours: 24 }), [
		["body.texts.1", "must be string", "string_type"],
		["body.hours", "must be <= 23", "maximum"],
	]);
	assert.deepEqual(faultsOf(Body, "body", { hours: [1, 24, "5"] }), [
		["body.hours.1", "must be <= 23", "maximum"],
		["body.hours.2", "must be integer", "integer_type"],
	]);
});

test("each faulty item of a list is told apart", () => {
	const list = Array.from({ length: 12 }, (_, at) => ({ value: at === 1 || at === 11 ? [] : at === 3 ? 3 : "a" }));
	assert.deepEqual(faultsOf(Body, "body", { list }), [
		["body.list.1.value", "must NOT have fewer than 1 items", "minItems"],
		["body.list.3.value", "must be string or array", "string_type"],
		["body.list.11.value", "must NOT have fewer than 1 items", "minItems"],
	]);
});

test("a constant and a format are named", () => {
	assert.deepEqual(faultsOf(Body, "body", { version: 2 }), [["body.version", "must be 1", "const"]]);
	const Query = Type.Object({ day: Type.String({ format: "date" }), id: Type.String({ format: "uuid" }) });
	assert.deepEqual(faultsOf(Query, "querystring", { day: "2026-02-30", id: "7" }), [
		["query.day", "must be a date, YYYY-MM-DD", "format"],
		["query.id", "must be a UUID", "format"],
	]);
});

test("a parameter that takes one value and is repeated is told so", () => {
	const Query = Type.Object({
		country: Type.Optional(Type.String()),
		page: Type.Optional(Type.Integer()),
		include: Type.Optional(Type.Array(OneOf(["os"]))),
	});
	assert.deepEqual(faultsOf(Query, "querystring", { country: ["ES", "FR"], page: ["1", "2"], include: ["os", "x"] }), [
		["query.country", "must be given once", "string_type"],
		["query.page", "must be given once", "integer_type"],
		["query.include.1", "must be one of os", "enum"],
	]);
	assert.deepEqual(faultsOf(Query, "querystring", { page: "x" }), [["query.page", "must be integer", "integer_type"]]);
});
