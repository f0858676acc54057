import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../../lib/moved.ts";
import { movesOf, sourcesOf } from "./moves.ts";
import { readPattern, writePattern } from "./pattern.ts";
import { prioritiesFor } from "./priorities.ts";

const touch = (source: string, visits: number) => ({ source, medium: "referral", campaign: "", visits });

test("visits that get another channel are counted by where they go from and to", () => {
	const touches = [touch("acme", 5), touch("google", 40), touch("forum", 2), touch("other", 7)];
	const before = ["Referral", "Organic Search", "Referral", "Unassigned"];
	const after = ["Partners", "Organic Search", "Partners", "Partners"];
	assert.deepEqual(
		movesOf(touches, before, after).map(({ from, to, visits, touches: moved }) => [from, to, visits, moved.length]),
		[
			["Referral", "Partners", 7, 2],
			["Unassigned", "Partners", 7, 1],
		],
	);
	assert.deepEqual(movesOf(touches, before, before), []);
	// Sources are named once, whatever their campaigns.
	assert.deepEqual(sourcesOf([touch("acme", 5), touch("forum", 6), { ...touch("acme", 2), campaign: "autumn" }]), [
		{ source: "acme", medium: "referral", visits: 7 },
		{ source: "forum", medium: "referral", visits: 6 },
	]);
});

test("a written rule becomes an expression, and is read back as it was written", () => {
	for (const [how, text, pattern] of [
		["contains", "partner", "partner"],
		["is", "t.co", "^t\\.co$"],
		["starts_with", "a+b", "^a\\+b"],
		["ends_with", ".example", "\\.example$"],
		["ends_with", "$", "\\$$"],
		["matches", "^(acme|partner)$", "^(acme|partner)$"],
	] as const) {
		assert.equal(writePattern({ how, text }), pattern);
		assert.deepEqual(readPattern(pattern), { how, text });
	}
	assert.equal(writePattern({ how: "is", text: "" }), null);
	assert.deepEqual(readPattern(null), { how: "contains", text: "" });
	// An expression that ends with an escaped sign, or is none, stays as it is.
	for (const text of ["a\\", "\\d+"]) assert.deepEqual(readPattern(text), { how: "matches", text });
});

interface Ranked {
	readonly id: number;
	readonly priority: number;
}
/** The order in which rules are asked. */
const asked = (rules: readonly Ranked[]) => rules.toSorted((a, b) => b.priority - a.priority || a.id - b.id);
const rulesOf = (...priorities: readonly number[]) => priorities.map((priority, at) => ({ id: at + 1, priority }));

test("a rule that moves between others gets a priority between theirs, alone", () => {
	const rules = rulesOf(90, 50, 10);
	assert.deepEqual(prioritiesFor(moved(rules, 2, 1), 3), [{ id: 3, priority: 70 }]);
	assert.deepEqual(prioritiesFor(moved(rules, 2, 0), 3), [{ id: 3, priority: 101 }]);
	assert.deepEqual(prioritiesFor(moved(rules, 0, 2), 1), [{ id: 1, priority: 0 }]);
});

test("rules keep their order at any priorities", () => {
	for (const rules of [
		rulesOf(50, 50, 50, 50),
		rulesOf(1000, 1000, 999, 0),
		rulesOf(1, 1, 0, 0),
		rulesOf(1000, 999, 998, 997),
		rulesOf(3, 2, 1, 0),
	]) {
		for (const from of rules.keys()) {
			for (const to of rules.keys()) {
				const order = moved(rules, from, to);
				const changes = prioritiesFor(order, rules[from]?.id ?? 0);
				const found = asked(rules.map((rule) => changes.find(({ id }) => id === rule.id) ?? rule));
				const ids = (all: readonly Ranked[]) => all.map(({ id }) => id);
				assert.deepEqual(ids(found), ids(order), `${rules.map(({ priority }) => priority)}: ${from} to ${to}`);
				assert.ok(changes.every(({ priority }) => priority >= 0 && priority <= 1000));
			}
		}
	}
});
