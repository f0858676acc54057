// Whether the time of an answer tells which addresses are known, looked at closer than a test can: 2 ms are seen even
// where a password is hashed. Exit code 1 when something leaks. `npm run bench:enumeration -- [tries]`
import { enumerationApp, type Flow, flows } from "../../packages/server/test/support/enumeration.ts";
import { describeMachine } from "../support/machine.ts";
import { TOLERANCE_MS } from "./compare-timings.ts";
import { addressesFor, lookAt } from "./look-at.ts";

const TRIES = Number(process.argv[2] ?? 400);

const on = await enumerationApp(addressesFor(TRIES));
let isTold = false;

async function show(flow: Flow): Promise<void> {
	for (const finding of await lookAt(on, flow, TRIES)) {
		isTold ||= finding.isTold;
		const compared = `${flow.name}: ${finding.kind} against ${flow.kinds[0]}`.padEnd(64);
		const shift = `${finding.shiftMs.toFixed(3).padStart(8)} ms`;
		console.log(`${compared} ${shift}  ${finding.chance.toExponential(1)}  ${finding.isTold ? "TOLD" : "not told"}`);
	}
}

console.log(describeMachine());
console.log(`${TRIES} tries of each kind of address; told = slower or faster by more than ${TOLERANCE_MS} ms\n`);
try {
	for (const flow of flows) await show(flow);
} finally {
	await on.app.close();
}
process.exitCode = isTold ? 1 : 0;
