import assert from "node:assert/strict";
import { test } from "node:test";
import { botFlags } from "../../../../server/src/analytics/model/bot-flags.ts";
import { flagWeights } from "./flags.ts";

test("the weights shown are those that the collector adds up", () => {
	assert.deepEqual(flagWeights, Object.fromEntries(botFlags.map(({ name, weight }) => [name, weight])));
});
