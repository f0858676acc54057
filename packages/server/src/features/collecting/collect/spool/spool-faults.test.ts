import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type FaultyFiles, faultyFiles, seededRandom } from "../../../../../test/support/faulty-files.ts";
import { ModelStore, type StoreMood } from "../../../../../test/support/model-store.ts";
import { freshDirectories, runSpool } from "../../../../../test/support/spool-run.ts";
import { markRefused } from "./refused-folder.ts";
import { machineFiles } from "./spool-files.ts";
import { findRecord, nextHeader, saltOf } from "./spool-record.ts";

/** More runs, and others: `SPOOL_FAULT_RUNS=20000 SPOOL_FAULT_SEED=7 npm test -- spool-faults`. */
const RUNS = Number(process.env.SPOOL_FAULT_RUNS ?? 150);
const SEED = Number(process.env.SPOOL_FAULT_SEED ?? 20_261_122);
const freshDirectory = freshDirectories();

const hits = fc.record({
	kind: fc.constant("hits" as const),
	count: fc.integer({ min: 1, max: 6 }),
	bad: fc.boolean(),
	large: fc.nat(9).map((dice) => dice === 0),
	isBot: fc.nat(3).map((dice) => dice === 0),
});
const files = fc.record({ kind: fc.constant("files" as const), rate: fc.constantFrom(0, 0, 0.05, 0.3) });
const store = fc.record({
	kind: fc.constant("store" as const),
	mood: fc.constantFrom<StoreMood[]>("well", "well", "away", "lost", "short of memory"),
	isMended: fc.boolean(),
});
const often = ["commit", "commit", "load", "load", "crash"] as const;
const plain = ["commit", "load", "crash", "restart", "flip", "flip journal", "retry", "lose journal"] as const;
const step = fc.oneof(
	{ weight: 8, arbitrary: hits },
	{ weight: 3, arbitrary: files },
	{ weight: 2, arbitrary: store },
	{ weight: 13, arbitrary: fc.record({ kind: fc.constantFrom(...often, ...plain) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const steps = fc.array(step, { minLength: 3, maxLength: 40 });

/** A collector's spool with all possible faults, and its acknowledgements. */
class Scene {
	readonly store = new ModelStore();
	readonly acknowledged = new Set<string>();
	/** Rows whose record had a bit turned on the disk. */
	readonly hit = new Set<string>();
	/** Bits are also turned while reading. */
	isReadWrongly = false;
	readonly #random: () => number;
	readonly #directory = freshDirectory();
	#rate = 0;
	#change: "mend" | "damage" | undefined;
	#next = 0;
	/** Rows that hold this are the bad ones. */
	#bad = "bad 0";
	#process: { readonly files: FaultyFiles; readonly run: Awaited<ReturnType<typeof runSpool>> } | undefined;

	constructor(seed: number) {
		this.#random = seededRandom(seed);
		this.store.refuses = this.#bad;
	}

	async do(step: Step): Promise<void> {
		switch (step.kind) {
			case "hits":
				return this.#send(step);
			case "commit":
				return (await this.#running()).run.spool.flush();
			case "load":
				return (await this.#running()).run.loader.flush();
			case "crash":
				return this.#crash();
			case "restart":
				return this.close();
			case "flip":
				return this.#flip();
			case "flip journal":
				return this.#flipJournal();
			case "lose journal":
				await this.#crash();
				if (!this.#mayOnly("damage")) return;
				return rmSync(join(this.#directory, "journal"), { force: true });
			case "retry":
				return void (await markRefused(machineFiles, this.#directory));
			case "files":
				return this.#setRate(step.rate);
			case "store":
				this.store.mood = step.mood;
				if (this.#mayOnly("mend")) this.#mend(step.isMended);
		}
	}

	/** Ends all faults and retries the rows that were set aside, on a store that accepts them. */
	async settle(): Promise<void> {
		this.#setRate(0);
		this.store.mood = "well";
		await this.#drain();
		await this.close();
		this.store.refuses = undefined;
		await markRefused(machineFiles, this.#directory);
		await this.#drain();
		assert.equal((await this.#running()).run.spool.state.refused.files, 0);
		await this.close();
		// Nothing is repeated after an orderly end, so a store that knows no token counts nothing twice.
		this.store.tokens.clear();
		await this.#drain();
		await this.close();
	}

	/** Text of all files of `refused/`. */
	get setAside(): string {
		const folder = join(this.#directory, "refused");
		if (!existsSync(folder)) return "";
		return readdirSync(folder)
			.map((name) => readFileSync(join(folder, name), "latin1"))
			.join("\n");
	}

	async close(): Promise<void> {
		const { run, files } = await this.#running();
		this.#process = undefined;
		await run.close();
		assert.deepEqual([...files.open.values()], [], "no descriptor is left open");
	}

	/** Where a step was cut is known from the journal alone, so a store that changes its mind takes a whole journal. */
	#mayOnly(change: "mend" | "damage"): boolean {
		this.#change ??= change;
		return this.#change === change;
	}

	/**
	 * A store that refuses rows again, after it accepted such, refuses later ones: it would accept the same rows again.
	 */
	#mend(isMended: boolean): void {
		const { counts } = this.store;
		if ([...counts.keys()].some((line) => line.includes(this.#bad))) this.#bad = `bad ${counts.size}`;
		this.store.refuses = isMended ? undefined : this.#bad;
	}

	async #drain(): Promise<void> {
		const { spool, loader } = (await this.#running()).run;
		for (let n = 0; n < 3 || !loader.isDrained; n++) {
			assert.ok(n < 50, "the loader comes to an end");
			await spool.flush();
			await loader.flush();
		}
		assert.equal(spool.waitingBytes, 0);
	}

	#setRate(rate: number): void {
		this.#rate = rate;
		if (rate > 0) this.isReadWrongly = true;
		if (this.#process !== undefined) this.#process.files.rate = rate;
	}

	/** The process at hand; started when there is none, as often as it takes. */
	async #running() {
		for (let tries = 0; this.#process === undefined; tries++) {
			const files = faultyFiles(this.#random);
			files.rate = tries < 3 ? this.#rate : 0;
			try {
				const run = await runSpool({ directory: this.#directory, store: this.store, files: files.files });
				files.rate = this.#rate;
				this.#process = { files, run };
			} catch (error) {
				assert.ok(tries < 3, `the spool cannot be opened: ${String(error)}`);
				assert.deepEqual([...files.open.values()], [], "no descriptor is left open");
			}
		}
		return this.#process;
	}

	async #send({ count, bad, large, isBot }: Extract<Step, { kind: "hits" }>): Promise<void> {
		const running = await this.#running();
		for (let n = 0; n < count; n++) {
			const id = `<${this.#next++}>`;
			const lines = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, (_, row) => {
				const name = `${id}${row}`;
				const word = bad && this.#random() < 0.3 ? this.#bad : "göod";
				return `${name} ${name} ${name} ${word}${"x".repeat(large ? 120_000 : 0)}`;
			});
			const text = `${lines.join("\n")}\n`;
			const bot = isBot ? `${id}bot ${id}bot ${id}bot\n` : "";
			const all = isBot ? [...lines, bot.trimEnd()] : lines;
			running.run.spool.append("site", text, bot, all.length, (error) => {
				if (error !== undefined || this.#process !== running) return;
				for (const line of all) this.acknowledged.add(line);
			});
		}
		// Half of them are being written when the next thing happens.
		if (this.#random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
	}

	async #crash(): Promise<void> {
		const running = this.#process;
		this.#process = undefined;
		void running?.run.abandon();
		await running?.files.crash();
	}

	/** Turns one bit of a segment, as a disk does that grows old. */
	async #flip(): Promise<void> {
		// First, as what runs may remove a segment at any time.
		await this.#crash();
		const names = readdirSync(this.#directory).filter((name) => name.endsWith(".seg"));
		const name = names[Math.floor(this.#random() * names.length)];
		if (name === undefined) return;
		this.#flipBit(name, (bytes, at) => {
			for (const line of linesAround(bytes, saltOf(name.slice(11, 27)), at)) this.hit.add(line);
		});
	}

	async #flipJournal(): Promise<void> {
		await this.#crash();
		if (this.#mayOnly("damage") && existsSync(join(this.#directory, "journal"))) this.#flipBit("journal");
	}

	#flipBit(name: string, note: (bytes: Buffer, at: number) => void = () => {}): void {
		const path = join(this.#directory, name);
		const bytes = readFileSync(path);
		if (bytes.length === 0) return;
		const at = Math.floor(this.#random() * bytes.length);
		note(bytes, at);
		bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(this.#random() * 8));
		writeFileSync(path, bytes);
	}
}

/** The lines of the record that a byte belongs to. */
function linesAround(bytes: Buffer, salt: number, place: number): string[] {
	for (let at = nextHeader(bytes, 0, salt); at !== -1; at = nextHeader(bytes, at + 1, salt)) {
		const found = findRecord(bytes, at, 0, salt);
		if (found.kind !== "record" || place < at || place >= at + found.record.length) continue;
		return [found.record.events, found.record.botHits].flatMap((rows) => Buffer.from(rows).toString().split("\n"));
	}
	return [];
}

test(`an acknowledged hit is stored once, whatever the disk, the store and the process do, ${RUNS} times`, async () => {
	await fc.assert(
		fc.asyncProperty(steps, fc.nat(), async (way, seed) => {
			const scene = new Scene(seed);
			for (const step of way) await scene.do(step);
			await scene.settle();
			const { setAside } = scene;
			for (const [line, count] of scene.store.counts)
				assert.equal(count, 1, `stored ${count} times: ${line.slice(0, 40)}`);
			for (const line of scene.acknowledged) {
				if (scene.store.counts.has(line)) continue;
				const name = line.slice(0, line.indexOf(" "));
				const mayBeDamaged = scene.hit.has(line) || scene.isReadWrongly;
				assert.ok(mayBeDamaged, `lost, though no bit of it was turned: ${name}`);
				assert.ok(setAside.includes(name), `lost, and not set aside: ${name}`);
			}
		}),
		{ numRuns: RUNS, includeErrorInReport: true, seed: SEED },
	);
});
