import assert from "node:assert/strict";
import test from "node:test";
import { statementOf } from "./statement.ts";

const days = { site: "shop", from: "2026-11-20", to: "2026-11-21" };

test("a sum is asked for as the documents define it", () => {
	assert.equal(
		statementOf("entrances", days),
		"SELECT sum(entrance) AS entrances\nFROM events\nWHERE site = 'shop' AND date BETWEEN '2026-11-20' AND '2026-11-21'",
	);
});

test("a rate is made of the sums that its formula names", () => {
	const found = statementOf("bounce_rate", days) ?? "";
	assert.match(found, /^SELECT \(sum\(entrance\) - sum\(engaged\)\) \/ sum\(entrance\) \* 100 AS bounce_rate\n/);
	assert.match(statementOf("conversion_rate", days) ?? "", /^SELECT least\(.+, 100\) AS conversion_rate\n/);
	assert.match(statementOf("visitors", days) ?? "", /^SELECT uniqCombinedIf\(20\)\(/);
});

test("an unknown metric has no statement", () => {
	assert.equal(statementOf("happiness", days), undefined);
});
