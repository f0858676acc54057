import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultMemory } from "./open-event-store.ts";

const MIB = 1024 ** 2;

for (const [all, memory] of [
	[256, 128],
	[512, 192],
	[1024, 512],
	[2048, 1024],
	[8192, 2048],
	[65_536, 4096],
] as const) {
	test(`where a process may have ${all} MiB, the embedded store takes ${memory} of them`, () => {
		assert.equal(defaultMemory(all * MIB), memory * MIB);
	});
}
