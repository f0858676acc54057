import assert from "node:assert/strict";
import { test } from "node:test";
import { freeName, nameFor } from "./segment-name.ts";

test("the name of a segment in addresses has letters, digits and dashes alone", () => {
	assert.equal(nameFor("Búsqueda móvil & tablet!"), "busqueda-movil-tablet");
	assert.match(nameFor("x".repeat(80)), /^x{50}$/);
	assert.equal(nameFor("日本", 36 ** 2), "segment-100");
});

test("a name that is taken gets a number, and stays as long as it may be", () => {
	assert.equal(freeName("mobile", ["desktop"]), "mobile");
	assert.equal(freeName("mobile", ["mobile", "mobile-2"]), "mobile-3");
	assert.equal(freeName("x".repeat(50), ["x".repeat(50)]), `${"x".repeat(48)}-2`);
});
