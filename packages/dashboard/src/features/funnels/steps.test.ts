import assert from "node:assert/strict";
import { test } from "node:test";
import { question, readSteps, writeSteps } from "./steps.ts";

test("steps stand in the address, and what is no step is left out", () => {
	const view = ["page:/", "page:/shop/a:b*", "event:purchase", "col:country", "nonsense"];
	const steps = readSteps(view);
	assert.deepEqual(steps, [
		{ kind: "page", value: "/" },
		{ kind: "page", value: "/shop/a:b*" },
		{ kind: "event", value: "purchase" },
	]);
	assert.deepEqual(writeSteps(steps), ["page:/", "page:/shop/a:b*", "event:purchase"]);
	assert.equal(readSteps(Array.from({ length: 12 }, () => "page:/")).length, 10);
});

test("a question has two steps or more, all of them filled in, pages with their slash", () => {
	assert.deepEqual(question(readSteps(["page: cart ", "event:/purchase"])), ["/cart", "purchase"]);
	assert.equal(question(readSteps(["page:/", "event:"])), undefined);
	assert.equal(question(readSteps(["page:/"])), undefined);
});
