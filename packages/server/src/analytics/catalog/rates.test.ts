import assert from "node:assert/strict";
import { test } from "node:test";
import { percentage, percentChange, rates, ratio } from "./rates.ts";

const none = {
	...{ entrances: 0, engaged_entrances: 0, page_views: 0, microconversions: 0, conversions: 0, revenue: 0 },
	...{ paid_conversions: 0, visit_seconds: 0, visitors: 0 },
};

test("a half is rounded away from zero at the second decimal, and a percentage is of what is above zero alone", () => {
	assert.deepEqual([ratio(2.01, 2), ratio(-2.01, 2), ratio(1, 3)], [1.01, -1.01, 0.33]);
	assert.deepEqual([percentage(1, 8), percentage(1, 16), percentage(1, 32)], [12.5, 6.25, 3.13]);
	assert.deepEqual([percentChange(120, 80), percentChange(-80, 80)], [50, -200]);
	for (const before of [0, -80]) assert.equal(percentChange(120, before), null);
});

test("rates are 0 where the divisor is 0, and a conversion rate ends at 100", () => {
	assert.equal(rates.bounce_rate.of(none), 0);
	assert.equal(rates.average_order_value.of({ ...none, revenue: 5, conversions: 2 }), 0);
	assert.equal(rates.conversion_rate.of({ ...none, entrances: 2, conversions: 3 }), 100);
});
