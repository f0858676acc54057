import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readSums } from "../faults/reports.ts";
import { waitingBytes } from "../faults/service.ts";
import { makeTemplate, setStage } from "../faults/stage.ts";
import { until } from "../faults/until.ts";
import { withStore } from "../support/table-sizes.ts";
import { type Sample, takeSample } from "./sample.ts";

/** Merges of the event store take memory for seconds: samples farther apart find their peaks by chance. */
const EVERY_MS = 5_000;
const MIN_SAMPLES = 40;
const program = fileURLToPath(new URL("full-load.ts", import.meta.url));

/** How long the load is: minutes, or so many acknowledged hits. */
export type SoakLength = { readonly minutes: number } | { readonly hits: number };

interface Counts {
	readonly sent: number;
	readonly acknowledged: number;
}

/** Runs the load and samples the service; at the end its reports are asked. */
export async function measure(length: SoakLength) {
	// A visit of the soak ends so soon that the number of running ones stops growing within the warm-up.
	const env = { SESSION_TIMEOUT_MINUTES: "1", LOG_LEVEL: "warn" };
	const template = await makeTemplate(env);
	const stage = setStage(template, { seed: 1, isShort: false, env });
	try {
		const service = await stage.start();
		const load = fork(program);
		load.send({ host: "127.0.0.1", siteId: stage.site.id, token: template.token, port: service.port });
		const began = performance.now();
		const samples: Sample[] = [];
		const everyMs = "hits" in length ? EVERY_MS : Math.min(EVERY_MS, (length.minutes * 60_000) / MIN_SAMPLES);
		const isOver = async (ms: number) =>
			"hits" in length ? (await ask(load, "count")).acknowledged >= length.hits : ms >= length.minutes * 60_000;
		for (let ms = 0; !(await isOver(ms)); ) {
			await pause(everyMs);
			ms = performance.now() - began;
			samples.push(takeSample(stage.dataDir, service, ms));
		}
		const { sent, acknowledged } = await ask(load, "stop");
		await until(async () => (await waitingBytes(service)) === 0);
		const sums = await readSums(service.url, stage.site);
		await service.stop();
		const [parts] = await withStore(stage.dataDir, (store) =>
			store.query<{ parts: number }>({
				sql: "SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'",
			}),
		);
		console.log(`${parts?.parts ?? 0} parts of the event store at the end`);
		return { samples, sent, acknowledged, reported: sums.pageViews + sums.conversions };
	} finally {
		await stage.close();
		template.remove();
	}
}

async function ask(load: ChildProcess, order: "count" | "stop"): Promise<Counts> {
	load.send(order);
	const [counts] = (await once(load, "message")) as [Counts];
	return counts;
}
