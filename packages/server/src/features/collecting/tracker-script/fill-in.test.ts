import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { fillIn, type ScriptValues } from "./fill-in.ts";

const template =
	"[FOOTFALL_ID,FOOTFALL_TOKEN,FOOTFALL_ROOT,FOOTFALL_GROUP,FOOTFALL_AUTO,FOOTFALL_SPA,FOOTFALL_ID,FOOTFALL_ID]";

test("every value arrives in the script as it was, whatever it holds, and none can close a script element", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.constantFrom("</script>", '"', "\\", "\u2028", "$&", "FOOTFALL_SPA", "`$"),
	);
	const values: fc.Arbitrary<ScriptValues> = fc.record({
		FOOTFALL_ID: text,
		FOOTFALL_TOKEN: text,
		FOOTFALL_ROOT: text,
		FOOTFALL_GROUP: text,
		FOOTFALL_AUTO: fc.boolean(),
		FOOTFALL_SPA: fc.boolean(),
	});
	fc.assert(
		fc.property(values, (given) => {
			const script = fillIn(template, given);
			assert.doesNotMatch(script, /[<\u2028\u2029]/);
			const id = given.FOOTFALL_ID;
			const all = [
				id,
				given.FOOTFALL_TOKEN,
				given.FOOTFALL_ROOT,
				given.FOOTFALL_GROUP,
				given.FOOTFALL_AUTO,
				given.FOOTFALL_SPA,
			];
			assert.deepEqual([...runInNewContext(script)], [...all, id, id]);
		}),
		{ numRuns: 30 },
	);
});

test("a placeholder that the server does not know is an error, not a broken script", () => {
	const values = {
		FOOTFALL_ID: "a",
		FOOTFALL_TOKEN: "",
		FOOTFALL_ROOT: "",
		FOOTFALL_GROUP: "",
		FOOTFALL_AUTO: true,
		FOOTFALL_SPA: true,
	};
	assert.throws(() => fillIn("FOOTFALL_NEW", values), /FOOTFALL_NEW/);
});
