// Plays faults against the real service and checks what is left: each hit that was acknowledged is stored once, none twice, and the
// reports are what a plain recomputation gives. `npm run faults`, `-- --short` in a minute or so, `-- NAME…` for some of them,
// `-- --seed N` to repeat the random moments of a run.

import { parseArgs } from "node:util";
import { inParallel } from "../../scripts/lib/in-parallel.ts";
import { describeMachine } from "../support/machine.ts";
import type { Drill } from "./drill.ts";
import { drills } from "./drills.ts";
import { makeTemplate, setStage, type Template } from "./stage.ts";

/** Drills wait more than they compute. */
const AT_ONCE = 2;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { short: { type: "boolean", default: false }, seed: { type: "string" } },
});
const isShort = values.short;
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const unknown = positionals.filter((name) => drills.every((drill) => drill.name !== name));
if (unknown.length > 0 || !Number.isInteger(seed)) {
	console.error(`npm run faults -- [--short] [--seed N] [NAME…], of ${drills.map(({ name }) => name).join(", ")}`);
	process.exit(2);
}
const chosen = drills.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
/** Open resources, closed at the end of the run. */
const open = new Set<() => Promise<void>>();
const count = { passed: 0, failed: 0, "not played": 0 };

async function play(drill: Drill, template: Template): Promise<void> {
	const began = performance.now();
	const tell = (word: string, text: string) => {
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(`${word.padEnd(6)} ${drill.name} (${seconds} s): ${text}`);
	};
	const lack = drill.lacks?.();
	if (lack !== undefined) {
		count["not played"]++;
		tell("-", `not played: ${lack}`);
		return;
	}
	try {
		const { sent, acknowledged, stored, lost, note } = await playOn(drill, template);
		count.passed++;
		const missing = lost > 0 ? `, ${lost} in what was damaged` : "";
		tell("ok", `${sent} sent, ${acknowledged} acknowledged, ${stored} stored${missing}${note ? `; ${note}` : ""}`);
	} catch (error) {
		count.failed++;
		tell("FAILED", `${drill.does}\n  ${error instanceof Error ? error.stack : error}`);
	}
}

async function playOn(drill: Drill, usual: Template) {
	const surroundings = await drill.surroundings?.();
	const closeSurroundings = async () => surroundings?.close();
	open.add(closeSurroundings);
	try {
		const template = surroundings === undefined ? usual : await makeTemplate(surroundings.env);
		const stage = setStage(template, { seed, isShort, env: surroundings?.env ?? {} });
		open.add(stage.close);
		try {
			return await drill.play(stage);
		} catch (error) {
			for (const { output } of stage.services) console.log(output().stderr.split("\n").slice(-8).join("\n"));
			throw error;
		} finally {
			open.delete(stage.close);
			await stage.close();
			if (surroundings !== undefined) template.remove();
		}
	} finally {
		open.delete(closeSurroundings);
		await closeSurroundings();
	}
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.once(signal, async () => {
		for (const close of [...open].reverse()) await close().catch(() => undefined);
		process.exit(1);
	});
}

console.log(`${describeMachine()}\n${isShort ? "short" : "long"} form, --seed ${seed}`);
const template = await makeTemplate();
open.add(async () => template.remove());
try {
	await inParallel(chosen, isShort ? AT_ONCE : 1, (drill) => play(drill, template));
} finally {
	template.remove();
}
console.log(
	Object.entries(count)
		.map(([word, number]) => `${number} ${word}`)
		.join(", "),
);
const mustPlayAll = process.env.CI !== undefined && count["not played"] > 0;
process.exitCode = count.failed > 0 || count.passed === 0 || mustPlayAll ? 1 : 0;
