import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../../lib/moved.ts";
import { prioritiesFor } from "./priorities.ts";

interface Ranked {
	readonly id: number;
	readonly priority: number;
}

/** The order in which rules are asked. */
const asked = (rules: readonly Ranked[]) => rules.toSorted((a, b) => b.priority - a.priority || a.id - b.id);
const apply = (rules: readonly Ranked[], changes: readonly Ranked[]) =>
	rules.map((rule) => changes.find(({ id }) => id === rule.id) ?? rule);

test("a rule that moves between others gets a priority between theirs, alone", () => {
	const rules = [
		{ id: 1, priority: 90 },
		{ id: 2, priority: 50 },
		{ id: 3, priority: 10 },
	];
	assert.deepEqual(prioritiesFor(moved(rules, 2, 1), 3), [{ id: 3, priority: 70 }]);
	assert.deepEqual(prioritiesFor(moved(rules, 2, 0), 3), [{ id: 3, priority: 101 }]);
	assert.deepEqual(prioritiesFor(moved(rules, 0, 2), 1), [{ id: 1, priority: 0 }]);
});

test("whatever the priorities are, the rules stand as they were put", () => {
	const sets = [
		[50, 50, 50, 50],
		[1000, 1000, 999, 0],
		[1, 1, 0, 0],
		[1000, 999, 998, 997],
		[3, 2, 1, 0],
	];
	for (const priorities of sets) {
		const rules = asked(priorities.map((priority, at) => ({ id: at + 1, priority })));
		for (const from of rules.keys()) {
			for (const to of rules.keys()) {
				const order = moved(rules, from, to);
				const changes = prioritiesFor(order, rules[from]?.id ?? 0);
				assert.deepEqual(
					asked(apply(rules, changes)).map(({ id }) => id),
					order.map(({ id }) => id),
					`${priorities}: ${from} to ${to}`,
				);
				assert.ok(changes.every(({ priority }) => priority >= 0 && priority <= 1000));
			}
		}
	}
});
