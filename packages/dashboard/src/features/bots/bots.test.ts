import assert from "node:assert/strict";
import { test } from "node:test";
import { botFlags } from "../../../../server/src/analytics/model/bot-flags.ts";
import { flagWeights } from "./flags.ts";
import { scoreColumns, thresholdAt } from "./scores.ts";

test("the weights shown are those that the collector adds up", () => {
	assert.deepEqual(flagWeights, Object.fromEntries(botFlags.map(({ name, weight }) => [name, weight])));
});

test("columns are as wide as their scores, as high as the logarithm, and left out above the threshold", () => {
	const columns = scoreColumns({ score_0: 999, score_1_30: 0, score_31_60: 9, score_61_80: 99, score_81_100: 999 }, 60);
	assert.deepEqual(
		columns.map(({ count, height, isLeftOut, width }) => [count, Number(height.toFixed(3)), isLeftOut, width]),
		[
			[999, 1, false, 8],
			[0, 0, false, 30],
			[9, 0.333, false, 30],
			[99, 0.667, true, 20],
			[999, 1, true, 20],
		],
	);
	assert.deepEqual([thresholdAt(100), thresholdAt(60).toFixed(4)], [1, "0.6296"]);
	const none = scoreColumns({ score_0: 0, score_1_30: 0, score_31_60: 0, score_61_80: 0, score_81_100: 0 }, 80);
	assert.ok(none.every(({ height }) => height === 0));
});
