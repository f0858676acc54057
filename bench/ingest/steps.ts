// Cost of a hit, step by step, without network, disk and event store: processor time in microseconds a hit. The hits
// are those of the ingest bench. `npm run bench:steps`
import { paymentPages } from "../../packages/server/src/analytics/attribution/payment-pages.ts";
import { compileSiteRules, noSiteRules } from "../../packages/server/src/analytics/attribution/site-rules.ts";
import type { CollectContext } from "../../packages/server/src/features/collecting/collect/collect-context.ts";
import { steps } from "../../packages/server/src/features/collecting/collect/collect-steps.ts";
import { Hit, type HitRequest } from "../../packages/server/src/features/collecting/collect/hit.ts";
import { MinuteWindow, NewcomerGuard } from "../../packages/server/src/features/collecting/collect/minute-guards.ts";
import { RejectionLog } from "../../packages/server/src/features/collecting/collect/rejection-log.ts";
import { MemorySessionStore } from "../../packages/server/src/features/collecting/collect/sessions/memory-session-store.ts";
import { issueToken, TokenCheck } from "../../packages/server/src/features/collecting/collect/token.ts";
import { buildRequests } from "../support/hits.ts";
import { describeMachine } from "../support/machine.ts";

const HITS = 120_000;
const VISITORS = 20_000;
/** Hits that take a step together, so that the clock is read rarely. */
const TOGETHER = 500;
const ROUNDS = 6;
const HITS_A_MS = 20;
const TIMEOUT_MS = 30 * 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

const site = {
	id: "bench",
	organizationId: "bench",
	name: "",
	timezone: "Europe/Madrid",
	currency: "EUR",
	isActive: true,
	botThreshold: 80,
	automaticEvents: [],
	goals: [],
	domains: ["shop.example"],
	utmMappings: [],
	blockedAddresses: undefined,
	forgottenVisits: [],
	lifetimeEventLimit: null,
};
const attribution = compileSiteRules(noSiteRules);
const salt = Buffer.alloc(32, 7).toString("base64");
const context: CollectContext = {
	sites: { get: () => site },
	attribution: { get: () => attribution },
	sessions: new MemorySessionStore({ timeoutMs: TIMEOUT_MS }),
	salts: { on: () => salt, refresh: async () => {} },
	quota: { hasRoom: () => true, count: () => {} },
	tokens: new TokenCheck(["secret"]),
	flood: new MinuteWindow(300),
	newcomers: new NewcomerGuard(1000),
	paymentPages: paymentPages([]),
	maxAmount: 1_000_000_000,
	spool: { accepts: true, append: (_site, _events, _botHits, _rows, committed) => committed(undefined) },
	rejections: new RejectionLog(),
	restoredUntil: 0,
	sessionTimeoutMs: TIMEOUT_MS,
};

function readRequest(bytes: Buffer, index: number): HitRequest {
	const [head = "", body = ""] = bytes.toString().split("\r\n\r\n");
	const lines = head.split("\r\n").slice(1);
	const headers = Object.fromEntries(
		lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
	);
	const receivedAt = NOON + Math.floor(index / HITS_A_MS);
	const ip = headers["x-forwarded-for"] ?? "";
	return { body, isCut: false, ip, userAgent: headers["user-agent"] ?? "", headers, secure: true, receivedAt };
}

const token = issueToken("secret", site.id, NOON);
const requests = buildRequests({ host: "bench", siteId: site.id, token }, HITS, VISITORS).map(readRequest);
const cpu = () => {
	const { user, system } = process.cpuUsage();
	return user + system;
};
const names = ["newHit", ...steps.map(({ name }) => name)];
const costs = names.map(() => 0);
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
	costs.fill(0);
	const began = cpu();
	for (let from = 0; from < requests.length; from += TOGETHER) {
		let before = cpu();
		const lap = (index: number) => {
			const now = cpu();
			costs[index] = (costs[index] ?? 0) + now - before;
			before = now;
		};
		const hits = requests.slice(from, from + TOGETHER).map((request) => new Hit(request, () => {}));
		lap(0);
		for (const [index, step] of steps.entries()) {
			for (const hit of hits) {
				const outcome = step(hit, context);
				if (outcome !== undefined && outcome !== "kept") throw new Error(`${step.name}: ${outcome}`);
			}
			lap(index + 1);
		}
	}
	rounds.push((cpu() - began) / HITS);
}
console.log(`machine                ${describeMachine()}`);
console.log(`a hit, each round      ${rounds.map((round) => round.toFixed(1)).join("  ")}`);
for (const [index, name] of names.entries()) {
	console.log(`${name.padEnd(22)} ${((costs[index] ?? 0) / HITS).toFixed(2)}`);
}
