import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import S3rver from "s3rver";
import type { FileStore } from "./file-store.ts";
import { openLocalDirectory } from "./local-directory.ts";
import { openFileStore } from "./open-file-store.ts";
import { openS3Store } from "./s3-store.ts";

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < count; at++) yield Buffer.alloc(bytes, at);
}
async function* failing(): AsyncGenerator<Uint8Array> {
	yield Buffer.alloc(9 * 1024 * 1024);
	throw new Error("the query failed");
}
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The promises of `FileStore`, whatever stands behind it. */
function fileStoreSuite(store: () => FileStore, names: () => string[]): void {
	test("what is written is read, byte for byte, in pieces of any size", async () => {
		for (const [count, bytes] of [
			[0, 0],
			[1, 1],
			[3, 7_000_000],
		] as const) {
			assert.equal(await store().write("a-1.csv", pieces(count, bytes)), count * bytes);
			const file = await store().read("a-1.csv");
			assert.equal(file?.bytes, count * bytes);
			const expected = Buffer.concat(await Array.fromAsync(pieces(count, bytes)));
			assert.equal(digest(await buffer(file?.content ?? [])), digest(expected));
		}
	});

	test("a file that breaks off does not exist, and its error comes out", async () => {
		await assert.rejects(store().write("half.csv", failing()), /the query failed/);
		assert.equal(await store().read("half.csv"), undefined);
		assert.deepEqual(
			names().filter((name) => name.includes("half")),
			[],
		);
	});

	test("a file whose writing is aborted does not exist", async () => {
		const abort = new AbortController();
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (let at = 0; ; at++) {
				if (at === 3) abort.abort(new Error("the service closes"));
				yield Buffer.alloc(1000);
			}
		}
		await assert.rejects(store().write("endless.csv", endless(), abort.signal), /the service closes/);
		assert.equal(await store().read("endless.csv"), undefined);
	});

	test("a removed file is gone; removing it again does nothing", async () => {
		await store().write("b-1.csv", pieces(1, 10));
		await store().remove("b-1.csv");
		await store().remove("b-1.csv");
		assert.equal(await store().read("b-1.csv"), undefined);
	});

	test("names that could mean something outside are refused", async () => {
		for (const name of [
			"../a.csv",
			"a/b.csv",
			"/etc/passwd",
			"..",
			"a.csv\0",
			"",
			".csv",
			"A.csv",
			"a.csv.part",
			"%2e.csv",
		]) {
			await assert.rejects(async () => store().read(name), TypeError);
			await assert.rejects(async () => store().write(name, pieces(1, 1)), TypeError);
			await assert.rejects(async () => store().remove(name), TypeError);
		}
	});

	test("answers a check", () => store().check());
}

describe("a directory of this machine", () => {
	const directory = mkdtempSync(join(tmpdir(), "footfall-files-"));
	const store = openLocalDirectory(join(directory, "exports"));
	after(() => rmSync(directory, { recursive: true }));
	fileStoreSuite(
		() => store,
		() => readdirSync(join(directory, "exports")),
	);

	test("removing a file removes what a killed process has left of it", async () => {
		await store.write("c-1.csv", pieces(1, 10));
		writeFileSync(join(directory, "exports", "d-1.csv.part"), "half");
		assert.equal(await store.read("d-1.csv"), undefined);
		await store.remove("d-1.csv");
		assert.equal(readdirSync(join(directory, "exports")).includes("d-1.csv.part"), false);
	});

	test("a check fails where nothing can be written", async () => {
		writeFileSync(join(directory, "file"), "");
		await assert.rejects(openLocalDirectory(join(directory, "file")).check());
	});
});

describe("S3", () => {
	const directory = mkdtempSync(join(tmpdir(), "footfall-s3-"));
	const server = new S3rver({
		address: "127.0.0.1",
		port: 0,
		silent: true,
		directory,
		configureBuckets: [{ name: "stats", configs: [] }],
	});
	let url: string;
	before(async () => {
		const { port } = await server.run();
		url = `http://S3RVER:S3RVER@127.0.0.1:${port}/stats/exports?region=eu-west-1`;
	});
	after(async () => {
		await server.close();
		rmSync(directory, { recursive: true, force: true });
	});
	fileStoreSuite(
		() => openS3Store(url),
		() =>
			readdirSync(directory, { recursive: true })
				.map(String)
				.filter((name) => name.includes("exports/")),
	);

	test("an unknown key and a missing bucket are refused, without a word of the address", async () => {
		const wrong = openS3Store(url.replace("//S3RVER:", "//WRONG:"));
		await assert.rejects(
			wrong.write("x.csv", pieces(1, 1)),
			(error: Error) => /answered 403/.test(error.message) && !/WRONG|S3RVER/.test(String(error.stack)),
		);
		await assert.rejects(openS3Store(url.replace("/stats/", "/nothing/")).check(), /The bucket does not exist/);
	});

	test("an address without bucket or key is refused at start, without quoting it", () => {
		for (const address of [
			"https://host/bucket",
			"https://KEY:secret1@host",
			"https://KEY@host/bucket",
			"s3://bucket",
		]) {
			assert.throws(
				() => openFileStore({ s3Url: address, dataDir: "." }),
				(error: Error) => /S3_URL must read/.test(error.message) && !error.message.includes("secret1"),
			);
		}
	});
});
