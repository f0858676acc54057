import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Random } from "../../packages/server/src/features/collecting/seed/random.ts";
import { NumberedLoad } from "../support/numbered-load.ts";
import { type BenchSite, createBenchSite, readTrackerToken } from "../support/site.ts";
import { type Service, startProcess } from "./service.ts";
import { until } from "./until.ts";

type Env = Readonly<Record<string, string>>;

export const VISITORS = 400;
const RATE = 150;
const CONNECTIONS = 8;
const secretKey = "a secret of the drills, of 32 characters or more";

/** A data directory with a site, which drills begin with a copy of. */
export interface Template {
	readonly dataDir: string;
	readonly site: BenchSite;
	readonly token: string;
	remove(): void;
}

/** Environment of a drill. */
export interface Stage {
	readonly dataDir: string;
	readonly random: Random;
	readonly isShort: boolean;
	readonly site: BenchSite;
	readonly load: NumberedLoad;
	/** Starts the service, or a process with roles of its own. Ended with the stage. */
	start(env?: Env): Promise<Service>;
	/** Sends hits to a process, and waits until so many more were acknowledged. */
	takeHits(service: Service, more?: number): Promise<void>;
	/** Waits for a random while within these bounds. */
	someTime(fromMs: number, toMs: number): Promise<void>;
	/** All processes that were started, the ended ones too. */
	readonly services: readonly Service[];
	/** Called at the end, the latest first. */
	atEnd(work: () => void | Promise<void>): void;
	close(): Promise<void>;
}

const settings = (dataDir: string): Record<string, string> => ({
	DATA_DIR: dataDir,
	SECRET_KEY: secretKey,
	COOKIE_SECURE: "false",
	TRUST_PROXY: "true",
	RATE_LIMIT_ENABLED: "false",
	LOG_LEVEL: "info",
});

/** Makes the directory that drills copy. */
export async function makeTemplate(env: Env = {}): Promise<Template> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-drill-template-"));
	const all = { ...settings(dataDir), ...env };
	const site = await createBenchSite({ PATH: process.env.PATH, ...all }, "UTC");
	const service = await startProcess(all);
	const token = await readTrackerToken(service.url, site.id);
	await service.stop();
	return { dataDir, site, token, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

interface StageOptions {
	readonly seed: number;
	readonly isShort: boolean;
	/** Settings of all processes on it. */
	readonly env: Env;
}

/** Sets a stage with a copy of a template. */
export function setStage(template: Template, { seed, isShort, env: usual }: StageOptions): Stage {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-drill-"));
	cpSync(template.dataDir, dataDir, { recursive: true, verbatimSymlinks: true });
	const services: Service[] = [];
	const endings: (() => void | Promise<void>)[] = [];
	const random = createRandom(seed);
	const { site, token } = template;
	const target = { host: "127.0.0.1", siteId: site.id, token };
	const load = new NumberedLoad({ target, connections: CONNECTIONS, rate: RATE, visitors: VISITORS });
	return {
		dataDir,
		random,
		isShort,
		site,
		load,
		services,
		async start(env = {}) {
			const service = await startProcess({ ...settings(dataDir), ...usual, ...env });
			services.push(service);
			return service;
		},
		async takeHits(service, more = 50) {
			load.aim(service.port);
			const enough = load.acknowledged + more;
			await until(() => load.acknowledged >= enough);
		},
		someTime: (fromMs, toMs) => pause(fromMs + random.next() * (toMs - fromMs)),
		atEnd: (work) => void endings.unshift(work),
		async close() {
			await load.stop();
			for (const { child } of services) child.kill("SIGKILL");
			await Promise.all(services.map(({ ended }) => ended));
			for (const work of endings) await work();
			rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
		},
	};
}
