import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LruMap } from "./lru-map.ts";

test("a stored value is found again", () => {
	const map = new LruMap<string, number>(4);
	map.set("a", 1);
	map.set("a", 2);
	assert.equal(map.get("a"), 2);
	assert.equal(map.get("b"), undefined);
	assert.equal(map.size, 1);
});

test("an entry in use survives any number of others", () => {
	const map = new LruMap<string, number>(10);
	map.set("kept", 1);
	for (let n = 0; n < 1000; n++) {
		map.set(`other-${n}`, n);
		assert.equal(map.get("kept"), 1);
	}
	assert.equal(map.get("other-0"), undefined);
});

test("the map is bounded, never invents a value and keeps the most recent half", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.boolean())), (steps) => {
			const map = new LruMap<number, number>(8);
			const truth = new Map<number, number>();
			for (const [step, [key, write]] of steps.entries()) {
				if (write) {
					map.set(key, step);
					truth.delete(key);
					truth.set(key, step);
				} else {
					const found = map.get(key);
					assert.ok(found === undefined || found === truth.get(key));
				}
				assert.ok(map.size <= 8);
			}
			const last = [...truth.entries()].at(-1);
			if (last !== undefined) assert.equal(map.get(last[0]), last[1]);
		}),
	);
});
