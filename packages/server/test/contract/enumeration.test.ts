import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { enumerationApp, lookAt } from "../support/enumeration.ts";
import { flows } from "../support/enumeration-flows.ts";

/**
 * Tries of each kind of address. Where a password is hashed a try takes 20 ms and more: there a hash that is left out is
 * seen, elsewhere 2 ms. `npm run bench:enumeration` looks closer.
 */
const TRIES = 100;
const TRIES_WITH_HASH = 25;

describe("nobody learns which addresses are known", () => {
	let on: Awaited<ReturnType<typeof enumerationApp>>;
	before(async () => {
		on = await enumerationApp(TRIES);
	});
	after(() => on.app.close());

	for (const flow of flows) {
		const { name, kinds } = flow;
		test(`${name}: the answer and the time are the same for ${kinds.join(", ")}`, async (t) => {
			const { findings, answers } = await lookAt(on, flow, flow.hashes ? TRIES_WITH_HASH : TRIES);
			if (flow.answersDiffer !== true) assert.equal(answers.length, 1, answers.join("\n"));
			for (const { kind, shiftMs, chance, isTold } of findings) {
				const finding = `${kind} against ${kinds[0]}: ${shiftMs.toFixed(2)} ms, chance ${chance.toExponential(1)}`;
				t.diagnostic(finding);
				assert.equal(isTold, false, finding);
			}
		});
	}
});
