// Mutated files of all formats. Each is read within this process, whose heap is bounded like that of the process that reads imports: it
// ends with a report or a refusal, the rows add up to the report, and of files whose lines are known the sums are those of a naive count.
// Each hundredth goes through a running service too, which answers 2xx or 4xx and comes to the same report.
// `npm run fuzz:imports -- [files] [seed]`

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { noSiteRules } from "../../packages/server/src/analytics/attribution/site-rules.ts";
import { eventColumns } from "../../packages/server/src/analytics/model/event-columns.ts";
import { importSources } from "../../packages/server/src/features/collecting/imports/formats/format.ts";
import type { ChildWish, ReadMessage } from "../../packages/server/src/features/collecting/imports/read-apart.ts";
import { readFile } from "../../packages/server/src/features/collecting/imports/read-file.ts";
import type { ImportReport } from "../../packages/server/src/features/collecting/imports/report.ts";
import { createRandom, type Random } from "../../packages/server/src/features/collecting/seed/random.ts";
import { exportedFile, plausibleArchive } from "../../packages/server/test/support/import-files.ts";
import { CHROME, FIREFOX, line, log } from "../../packages/server/test/support/import-site.ts";
import { zipFile } from "../../packages/server/test/support/zip-file.ts";
import { describeMachine } from "../support/machine.ts";
import { benchEnv, startService } from "../support/service.ts";
import { createBenchSite, ownerHeaders } from "../support/site.ts";

type Source = (typeof importSources)[number];

interface Sample {
	readonly source: Source;
	readonly bytes: Buffer;
	/** Lines that count, and what they add up to, where it is known. */
	readonly expected?: { readonly accepted: number; readonly sum: number; readonly of: "entrances" | "page_views" };
}

const FILES = Number(process.argv[2] ?? 20_000);
const SEED = Number(process.argv[3] ?? Date.now() % 1_000_000);
const THROUGH_SERVICE_EVERY = 100;
const LAST_DAY = "2026-11-20";

const pick = <T>(random: Random, list: readonly [T, ...T[]]): T => list[random.below(list.length)] ?? list[0];

const junk = [
	"",
	"\r",
	'"',
	"\0",
	"{",
	"[]",
	"null",
	",,,,,",
	"999999999999999999999",
	"-1",
	"Ü\u{1F600}",
	"x".repeat(70_000),
] as const;

/** Lines of a format, each with what it counts; undefined for one that does not count. */
const generators: Readonly<
	Record<Source, (random: Random, n: number) => readonly [text: string, counts: number | undefined]>
> = {
	ga4_csv: sumLine,
	matomo_csv: sumLine,
	plausible_zip: sumLine,
	umami_csv: (random, n) => {
		const at = `2026-11-${String(1 + random.below(20)).padStart(2, "0")} 10:00:00`;
		if (random.chance(0.1)) return [`v${n},s${n},yesterday,/x,1`, undefined];
		return [`v${random.below(50)},s${random.below(20)},${at},/page-${random.below(9)},1`, 1];
	},
	access_log: (random, n) => {
		const stamp = `${String(1 + random.below(20)).padStart(2, "0")}/Nov/2026:10:00:00 +0000`;
		const agent = random.chance(0.5) ? FIREFOX : CHROME;
		const kind = random.below(10);
		if (kind === 0) return [line(`192.0.2.${n % 250}`, stamp, "GET /x.css HTTP/1.1", 200, "-", agent), undefined];
		if (kind === 1) return [line(`192.0.2.${n % 250}`, stamp, "GET / HTTP/1.1", 404, "-", agent), undefined];
		if (kind === 2) return ["a line of something else", undefined];
		return [line(`192.0.2.${n % 250}`, stamp, `GET /page-${random.below(9)} HTTP/1.1`, 200, "-", agent), 1];
	},
};

function sumLine(random: Random): readonly [string, number | undefined] {
	const day = `2026-11-${String(1 + random.below(20)).padStart(2, "0")}`;
	const bad = random.below(8);
	if (bad === 0) return [`2026-13-45,7`, undefined];
	if (bad === 1) return [`${day},seven`, undefined];
	if (bad === 2) return [`${day},-7`, undefined];
	const count = random.below(1000);
	return [`${day},${count}`, count];
}

const heads: Readonly<Record<Source, string>> = {
	ga4_csv: "date,sessions\n",
	matomo_csv: "date,nb_visits\n",
	plausible_zip: "date,visits\n",
	umami_csv: "visit_id,session_id,created_at,url_path,event_type\n",
	access_log: "",
};

function packed(source: Source, text: string, random: Random): Buffer {
	if (source === "plausible_zip") return zipFile([{ name: "imported_visitors.csv", content: text }]);
	return source === "access_log" && random.chance(0.5) ? gzipSync(text) : Buffer.from(text);
}

/** A file whose lines are known, with faulty ones among them. */
function knownFile(random: Random, source: Source): Sample {
	const lines = Array.from({ length: 1 + random.below(300) }, (_, n) => generators[source](random, n));
	const good = lines.flatMap(([, counts]) => counts ?? []);
	const end = random.chance(0.2) ? "\r\n" : "\n";
	const bytes = packed(source, heads[source] + lines.map(([text]) => text).join(end), random);
	const of = source === "umami_csv" || source === "access_log" ? "page_views" : "entrances";
	const sum = good.reduce((total, count) => total + count, 0);
	// Days without a visit have no items in an archive, and its lines of a day are one.
	return { source, bytes, expected: { accepted: source === "plausible_zip" ? -1 : good.length, sum, of } };
}

const originals: Readonly<Record<Source, readonly [Buffer, ...Buffer[]]>> = {
	ga4_csv: [
		exportedFile("ga4-traffic-acquisition.csv"),
		exportedFile("ga4-pages.csv"),
		exportedFile("ga4-spanish.csv"),
	],
	matomo_csv: [exportedFile("matomo-visits-summary.csv"), exportedFile("matomo-countries.csv")],
	umami_csv: [exportedFile("umami-events.csv")],
	plausible_zip: [plausibleArchive()],
	access_log: [Buffer.from(log), gzipSync(log)],
};

/** An exported file with bytes and lines changed, taken out, repeated or put in. */
function mutatedFile(random: Random, source: Source): Sample {
	let bytes = pick(random, originals[random.chance(0.95) ? source : pick(random, importSources)]);
	for (let times = 1 + random.below(3); times > 0; times--) bytes = mutated(random, bytes);
	return { source, bytes };
}

function mutated(random: Random, bytes: Buffer): Buffer {
	const at = random.below(bytes.length + 1);
	const end = Math.min(bytes.length, at + random.below(200));
	const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
	switch (random.below(6)) {
		case 0:
			return Buffer.concat([before, Buffer.from(part.map((byte) => byte ^ (1 << random.below(5)))), after]);
		case 1:
			return Buffer.concat([before, after]);
		case 2:
			return Buffer.concat([before, ...Array.from({ length: random.below(500) }, () => part), after]);
		case 3:
			return random.chance(0.2) ? before : bytes;
		case 4:
			return Buffer.concat([before, Buffer.from(`\n${pick(random, junk)}\n`), after]);
		default:
			return Buffer.concat([before, Buffer.from(pick(random, junk).repeat(1 + random.below(3))), after]);
	}
}

const columns = Object.keys(eventColumns);
const summed = {
	entrances: "entrance",
	engaged_entrances: "engaged",
	page_views: "page_view",
	conversions: "conversion",
	microconversions: "microconversion",
	revenue: "revenue",
};

/** Sums of the rows by column. */
function sumsOf(messages: readonly ReadMessage[]): Record<string, number> {
	const sums = Object.fromEntries(Object.keys(summed).map((name) => [name, 0]));
	for (const message of messages) {
		if (message.kind !== "rows") continue;
		for (const row of Buffer.from(message.tsv).toString().split("\n").filter(Boolean)) {
			const cells = row.split("\t");
			if (cells.length !== columns.length) throw new Error(`a row has ${cells.length} columns`);
			for (const [name, column] of Object.entries(summed))
				sums[name] = (sums[name] ?? 0) + Number(cells[columns.indexOf(column)]);
		}
	}
	return sums;
}

function wishOf(filesAt: string, { source, bytes }: Sample, storedName: string): ChildWish {
	const days = { from: null, to: null, earliest: "1990-01-01", today: LAST_DAY, own: [], imported: [] };
	return {
		source,
		filesAt,
		file: { name: "export", storedName, bytes: bytes.length },
		context: { timezone: "UTC", columnMap: {} },
		done: 0,
		intake: {
			siteId: "fuzz",
			importId: "fuzz",
			timezone: "UTC",
			fileTimezone: "UTC",
			botThreshold: 100,
			days,
			salt: "fuzz",
			timeoutMs: 1_800_000,
			rules: noSiteRules,
			domains: [],
			utmMappings: [],
			paymentDomains: [],
		},
	};
}

/** Reads a file as the process of an import does; what it came to. Throws when that is wrong. */
async function readHere(filesAt: string, sample: Sample): Promise<ReadMessage> {
	const storedName = "fuzz.bin";
	await writeFile(join(filesAt, storedName), sample.bytes);
	const wish = wishOf(filesAt, sample, storedName);
	const { intake: _, ...check } = wish;
	const checked = await readFile(check, async () => undefined);
	if (checked.kind === "failure") throw new Error(`the check failed: ${checked.message}`);
	const messages: ReadMessage[] = [];
	const end = await readFile(wish, async (message) => void messages.push(message));
	if (end.kind === "failure") throw new Error(`the reading failed: ${end.message}`);
	if (end.kind === "end" && end.report !== undefined) compare(sample, end.report, messages);
	else if (sample.expected !== undefined && sample.expected.accepted !== 0)
		throw new Error(`refused: ${JSON.stringify(end)}`);
	return checked.kind === "end" ? end : checked;
}

function compare({ expected }: Sample, report: ImportReport, messages: readonly ReadMessage[]): void {
	const { totals, rows_read, rows_accepted, rows_skipped } = report;
	if (rows_read !== rows_accepted + rows_skipped) throw new Error("rows are neither accepted nor skipped");
	const sums = sumsOf(messages);
	for (const [name, sum] of Object.entries(sums)) {
		const reported = totals[name as keyof typeof totals];
		if (Math.abs(sum - reported) > 1e-6 * Math.max(1, Math.abs(reported)))
			throw new Error(`${name}: rows have ${sum}, the report ${reported}`);
	}
	if (expected === undefined) return;
	if (expected.accepted >= 0 && rows_accepted !== expected.accepted)
		throw new Error(`${rows_accepted} accepted, not ${expected.accepted}`);
	if (totals[expected.of] !== expected.sum)
		throw new Error(`${expected.of} ${totals[expected.of]}, not ${expected.sum}`);
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-fuzz-"));
const env = { ...benchEnv(join(dataDir, "data")), RATE_LIMIT_ENABLED: "false" };
const site = await createBenchSite(env, "UTC");
const service = await startService(env);
const call = async (method: string, path: string, body?: FormData) => {
	const headers = await ownerHeaders(service.url);
	const response = await fetch(`${service.url}/api/v1/imports${path}?account_id=${site.id}`, {
		method,
		headers,
		...(body !== undefined && { body }),
	});
	return { status: response.status, body: (await response.json().catch(() => ({}))) as { data?: Import } };
};
interface Import {
	readonly import_id: string;
	readonly status: string;
	readonly report: Pick<ImportReport, "totals"> | null;
}

/** Imports a file into the service, and takes it back; of a known file the sums must be right there too. */
async function readThere({ source, bytes, expected }: Sample, here: ReadMessage): Promise<number> {
	const form = new FormData();
	form.set("source", source);
	form.set("dry_run", "false");
	form.set("file", new Blob([new Uint8Array(bytes)]), "export");
	const { status, body } = await call("POST", "", form);
	if (status !== 201 && (status < 400 || status > 499)) throw new Error(`the upload was answered ${status}`);
	if (status !== 201 || body.data === undefined) {
		if (here.kind === "end") throw new Error(`the service refused (${status}) what can be read`);
		return status;
	}
	const { import_id: id } = body.data;
	for (;;) {
		const found = (await call("GET", `/${id}`)).body.data;
		if (found?.status === "failed" && here.kind === "unreadable") break;
		if (found?.status === "failed") throw new Error("the import failed");
		if (found?.status !== "completed") {
			await pause(100);
			continue;
		}
		const sum = expected && found.report?.totals[expected.of];
		if (sum !== expected?.sum) throw new Error(`${expected?.of} of the service ${sum}, not ${expected?.sum}`);
		break;
	}
	const undone = (await call("POST", `/${id}/undo`)).status;
	if (undone !== 200) throw new Error(`the undo was answered ${undone}`);
	return status;
}

console.log(`${describeMachine()}\n${FILES} files, seed ${SEED}`);
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
let heap = 0;
try {
	for (let n = 0; n < FILES; n++) {
		const random = createRandom(SEED + n);
		const source = pick(random, importSources);
		const sample = random.chance(0.5) ? knownFile(random, source) : mutatedFile(random, source);
		try {
			const here = await readHere(dataDir, sample);
			count(here.kind === "end" ? "read" : "refused");
			heap = Math.max(heap, process.memoryUsage().heapUsed);
			if (n % THROUGH_SERVICE_EVERY === 0) count(`service ${await readThere(sample, here)}`);
		} catch (error) {
			process.exitCode = 1;
			const kept = join(tmpdir(), `footfall-fuzz-${SEED + n}.bin`);
			await writeFile(kept, sample.bytes);
			count("WRONG");
			console.log(
				`file ${n} (${sample.source}, seed ${SEED + n}, ${kept}): ${error instanceof Error ? error.message : error}`,
			);
		}
	}
	console.log(
		[...counts].map(([what, number]) => `${number} ${what}`).join(", "),
		`heap ${Math.round(heap / 1e6)} MB at most`,
	);
} finally {
	await service.kill();
	await rm(dataDir, { recursive: true, force: true });
}
