import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { sightOf } from "../../packages/server/src/features/collecting/collect/sessions/click-id-memory.ts";
import { MemorySessionStore } from "../../packages/server/src/features/collecting/collect/sessions/memory-session-store.ts";
import { RedisSessionStore } from "../../packages/server/src/features/collecting/collect/sessions/redis-session-store.ts";
import type {
	SessionState,
	SessionStore,
} from "../../packages/server/src/features/collecting/collect/sessions/session-store.ts";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { cpuMicroseconds } from "../support/process-figures.ts";

const [HITS, VISITORS, CLICK_IDS] = [30_000, 10_000, 500];
const TRIES = 100;
/** Hits on their way at a time. */
const TOGETHER = 20;
const TIMEOUT_MS = 30 * 60_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const KEYS_LOOKED_AT = 500;

const run = promisify(execFile);

const state = (visitor: number, hit: number): SessionState => ({
	session: String(BigInt(visitor) << 17n),
	dimensions: {
		referrer: "google.com",
		landing_path: `/shop/${visitor % 3000}`,
		landing_group: "",
		utm_source: "newsletter",
		utm_medium: "email",
		utm_campaign: `week-${visitor % 40}`,
		utm_term: "",
		utm_content: "header",
		country: "ES",
		device: "mobile",
		browser: "Chrome",
		os: "Android",
		channel: "Email",
		clid: "",
	},
	entrance: { date: "2026-11-23", hour: 12, ts: NOW },
	engaged: hit >= VISITORS,
	lastSeen: NOW + hit,
	trail: { referrer: visitor, pages: [visitor] },
	reached: [],
});

/** A machine that does other things lets Redis wait for longer than a collector would. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			await work();
			return;
		} catch (error) {
			if (tries === TRIES) throw error;
			await pause(100);
		}
	}
}

/** Microseconds of this process for the visit of a hit. */
async function costOf(store: SessionStore): Promise<number> {
	const touch = async (hit: number) => {
		const visitor = 1_000_000_007 + (hit % VISITORS);
		const next = state(visitor, hit);
		const step = () => ({ next, result: next });
		await patiently(async () => store.transact({ today: visitor, yesterday: () => undefined }, NOW + hit, step));
	};
	const all = async (hits: number) => {
		for (let hit = 0; hit < hits; hit += TOGETHER) {
			await Promise.all(Array.from({ length: TOGETHER }, (_, index) => touch(hit + index)));
		}
	};
	await all(VISITORS);
	const before = process.cpuUsage();
	await all(HITS);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / HITS;
}

/** Memory and Redis cost of live visits (`redis-server`, `redis-cli`): microseconds a hit, bytes a key. */
export async function measureVisits() {
	const memory = await costOf(new MemorySessionStore({ timeoutMs: TIMEOUT_MS }));
	const port = await freePort();
	const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
		stdio: "ignore",
	});
	const ask = async (...words: string[]) => (await run("redis-cli", ["-p", String(port), ...words])).stdout.trim();
	const bytesOf = async (kind: string) => {
		const keys = (await ask("--scan", "--pattern", `footfall:${kind}:*`)).split("\n").slice(0, KEYS_LOOKED_AT);
		let bytes = 0;
		for (const key of keys) bytes += Number(await ask("memory", "usage", key));
		return bytes / keys.length;
	};
	try {
		while ((await ask("ping").catch(() => "")) !== "PONG") await pause(50);
		const store = await RedisSessionStore.open({
			url: `redis://127.0.0.1:${port}`,
			timeoutMs: TIMEOUT_MS,
			onError: () => undefined,
		});
		const before = cpuMicroseconds(child.pid ?? 0);
		const collector = await costOf(store);
		const redis = (cpuMicroseconds(child.pid ?? 0) - before) / (HITS + VISITORS);
		for (let id = 0; id < CLICK_IDS; id++) {
			await patiently(async () => store.noteSight(sightOf("site", `click-${id}`, Date.now())));
		}
		await store.close();
		return { memory, collector, redis, visit: await bytesOf("session"), clickId: await bytesOf("click") };
	} finally {
		child.kill();
		await once(child, "exit");
	}
}
