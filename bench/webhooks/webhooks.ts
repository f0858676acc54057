// Events of three sites to fifty receivers, of which ten hang, ten answer 500 and ten redirect: how soon the healthy ones
// get theirs. `npm run bench:webhooks -- [events]`; exit code 1 when that takes more than 5 s (p95) or anything is missing.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createDomainEvents } from "../../packages/server/src/features/delivering/domain-events/index.ts";
import { createJobs } from "../../packages/server/src/platform/jobs/job-runner.ts";
import { systemClock } from "../../packages/server/src/platform/lib/clock.ts";
import { openMetadata } from "../../packages/server/src/platform/metadata/open-metadata.ts";
import { testCertificate } from "../../packages/server/test/support/test-certificate.ts";
import { describeMachine } from "../support/machine.ts";
import { residentMegabytes } from "../support/process-figures.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { benchOwner, createBenchSite } from "../support/site.ts";

const EVENTS = Number(process.argv[2] ?? 100);
const LIMIT_MS = 5000;
const WAIT_MS = 60_000;
const receivers = { healthy: 20, failing: 10, redirecting: 10, hanging: 10 };
const PER_SITE = 20;

const row = (label: string, value: string | number) => console.log(`${label.padEnd(56)} ${value}`);

type Call = readonly [path: string, eventId: string, ms: number];
interface Receivers {
	readonly url: string;
	calls(): Promise<Call[]>;
	end(): void;
}

async function startReceivers(certificate: string, key: string): Promise<Receivers> {
	const program = fileURLToPath(new URL("./receivers.ts", import.meta.url));
	const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [program, certificate, key], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const line = async (): Promise<string> => (await lines.next()).value ?? "";
	return {
		url: await line(),
		calls: async () => {
			child.stdin.write("\n");
			return JSON.parse(await line());
		},
		end: () => void child.kill(),
	};
}

async function makeEndpoints(service: RunningService, sites: readonly string[], url: string): Promise<void> {
	const post = async (path: string, body: object, headers: object = {}) => {
		const response = await fetch(`${service.url}/api/v1${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
		return (await response.json()) as { data: { access_token: string } };
	};
	const { data } = await post("/auth/token", benchOwner);
	const paths = Object.entries(receivers).flatMap(([manner, count]) =>
		Array.from({ length: count }, (_, index) => `/${manner}/${index}`),
	);
	// Every kind is spread over the sites.
	for (const [index, path] of paths.entries()) {
		const site = sites[index % sites.length];
		const endpoint = { name: path, url: url + path, event_types: ["export.failed"] };
		await post(`/webhooks?account_id=${site}`, endpoint, { authorization: `Bearer ${data.access_token}` });
	}
}

/** Announces as the slices of the service do, from another process on the same store. */
async function announce(dataDir: string, sites: readonly string[]): Promise<void> {
	const log = { info: () => {}, warn: () => {}, error: () => {} };
	const metadata = await openMetadata({ dataDir });
	const events = createDomainEvents({ jobs: createJobs({ metadata, clock: systemClock, log }), clock: systemClock });
	const data = { export_id: "e", export_type: "pages", error_message: "measured", failed_at: new Date().toISOString() };
	await metadata.transaction().execute(async (trx) => {
		for (let event = 0; event < EVENTS; event++) {
			for (const siteId of sites) await events.announce(trx, { type: "export.failed", siteId, data });
		}
	});
	await metadata.destroy();
}

async function measure(
	service: RunningService,
	sites: readonly string[],
	{ dataDir, from }: { dataDir: string; from: Receivers },
) {
	const began = performance.now();
	await announce(dataDir, sites);
	const due = receivers.healthy * EVENTS;
	let calls: Call[] = [];
	const healthy = () => calls.filter(([path]) => path.startsWith("/healthy/"));
	while (performance.now() - began < WAIT_MS && healthy().length < due) {
		await pause(100);
		calls = await from.calls();
	}
	const times = healthy()
		.map(([, , ms]) => ms)
		.sort((a, b) => a - b);
	const seconds = (times.at(-1) ?? 0) / 1000;
	row(
		"deliveries",
		`${Object.values(receivers).reduce((sum, count) => sum + count) * EVENTS} of ${EVENTS * sites.length} events`,
	);
	row("arrived at healthy receivers", `${times.length} of ${due}, ${Math.round(times.length / seconds)}/s`);
	row(
		"from the event to its arrival there",
		[0.5, 0.95, 0.99].map((q) => `p${q * 100} ${Math.round(quantile(times, q))} ms`).join(", "),
	);
	row("calls of the others meanwhile", calls.length - times.length);
	row("memory of the service's process, MB", Math.round(residentMegabytes(service.pid)));
	const twice = times.length - new Set(healthy().map(([path, id]) => `${path} ${id}`)).size;
	row("arrived twice", twice);
	return times.length >= due && twice === 0 && quantile(times, 0.95) <= LIMIT_MS;
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-webhooks-"));
const [certFile, keyFile] = [join(dataDir, "receivers.crt"), join(dataDir, "receivers.key")];
const { cert, key } = await testCertificate();
await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
const env = { ...benchEnv(dataDir), WEBHOOK_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: certFile };
let isMet = false;
try {
	row("machine", describeMachine());
	const { id } = await createBenchSite(env);
	const more = ["sites", "create", "--owner", benchOwner.email, "--name", "More", "--domain", "more.example", "--json"];
	const sites = [id];
	while (sites.length * PER_SITE < 50) sites.push(JSON.parse(await runFootfall(env, more)).id);
	const service = await startService(env);
	const from = await startReceivers(certFile, keyFile);
	try {
		await makeEndpoints(service, sites, from.url);
		isMet = await measure(service, sites, { dataDir, from });
	} finally {
		from.end();
		await service.stop();
	}
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = isMet ? 0 : 1;
