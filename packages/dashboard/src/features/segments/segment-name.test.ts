import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFor } from "./segment-name.ts";

test("the name of a segment in addresses has letters, digits and dashes alone", () => {
	assert.equal(nameFor("Búsqueda móvil & tablet!"), "busqueda-movil-tablet");
	assert.match(nameFor("x".repeat(80)), /^x{50}$/);
	assert.equal(nameFor("日本", 36 ** 2), "segment-100");
});
