// Traffic of a long time in a short one: as many hits a second as the service takes, visits that end after a minute in place of thirty,
// and samples of all that may grow. `npm run bench:soak -- [minutes]`, four when absent. It fails when a process's memory, its open
// files or the files beside the events grow after the warm-up, or when the reports are not what was acknowledged.

import { describeMachine } from "../support/machine.ts";
import { measure } from "./measure.ts";
import { judge, printTable } from "./verdict.ts";

const minutes = Number(process.argv[2] ?? 4);
if (!(minutes > 0)) throw new Error("npm run bench:soak -- [minutes]");
const VISITS_A_DAY = 86_400_000;
console.log(describeMachine());
const { samples, acknowledged, reported, sent } = await measure(minutes * 60_000);
printTable(samples);
const verdicts = judge(samples);
for (const { name, holds, says } of verdicts) console.log(`${holds ? "holds " : "MISSED"} ${name}: ${says}`);
const isExact = reported >= acknowledged && reported <= sent;
console.log(`${isExact ? "holds " : "MISSED"} reports: ${reported} hits, ${acknowledged} acknowledged, ${sent} sent`);
const share = (VISITS_A_DAY / acknowledged).toFixed(0);
console.log(
	`24 hours at 1,000 hits a second are ${share} times as many hits; this run does not stand for what only time brings`,
);
process.exitCode = isExact && verdicts.every(({ holds }) => holds) ? 0 : 1;
