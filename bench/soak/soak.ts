// Traffic of a long time in a short one: as many hits a second as the service takes, visits that end after a minute in place of thirty,
// and samples of all that may grow. `npm run bench:soak -- [minutes]`, four when absent, or `-- day` for as many hits as a day has at
// 1,000 a second. It fails when a process's memory, its open files or the files beside the events grow after the warm-up, or when the
// reports are not what was acknowledged.

import { describeMachine } from "../support/machine.ts";
import { measure } from "./measure.ts";
import { judge, printTable } from "./verdict.ts";

const DAY_HITS = 86_400_000;
const [given = "4"] = process.argv.slice(2);
const minutes = Number(given);
if (given !== "day" && !(minutes > 0)) throw new Error("npm run bench:soak -- [minutes | day]");
console.log(describeMachine());
const { samples, acknowledged, reported, sent } = await measure(given === "day" ? { hits: DAY_HITS } : { minutes });
printTable(samples);
const verdicts = judge(samples);
for (const { name, holds, says } of verdicts) console.log(`${holds ? "holds " : "MISSED"} ${name}: ${says}`);
const isExact = reported >= acknowledged && reported <= sent;
console.log(`${isExact ? "holds " : "MISSED"} reports: ${reported} hits, ${acknowledged} acknowledged, ${sent} sent`);
const perSecond = Math.round(acknowledged / (samples.at(-1)?.seconds ?? 1));
const days = (acknowledged / DAY_HITS).toFixed(2);
console.log(`${perSecond} hits a second; by number ${days} days at 1,000 a second, without what only time brings`);
process.exitCode = isExact && verdicts.every(({ holds }) => holds) ? 0 : 1;
