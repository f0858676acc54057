import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { BUCKET, type S3Peer, startS3Peer } from "../../../test/support/s3-peer.ts";
import { systemClock } from "../lib/clock.ts";
import type { FileStore } from "./file-store.ts";
import { makePrivate } from "./make-directory.ts";
import { openFileStore, openLocalDirectory } from "./open-file-store.ts";
import { readS3Address } from "./s3-address.ts";
import { openS3Store } from "./s3-store.ts";

const directory = newDirectory();

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < count; at++) yield Buffer.alloc(bytes, at);
}
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The promises of `FileStore`, whatever stands behind it; `names`: of everything that takes up room there. */
function fileStoreSuite(store: () => FileStore, names: () => string[]): void {
	test("a written file is read, byte for byte, in pieces of any size", async () => {
		await store().check();
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

	test("a file that breaks off or whose writing is aborted does not exist, and its error comes out", async () => {
		const before = names();
		const abort = new AbortController();
		async function* failing(): AsyncGenerator<Uint8Array> {
			yield Buffer.alloc(9 * 1024 * 1024);
			throw new Error("the query failed");
		}
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (let at = 0; ; at++) {
				if (at === 3) abort.abort(new Error("the service closes"));
				yield Buffer.alloc(1000);
			}
		}
		const late = new AbortController();
		async function* whole(): AsyncGenerator<Uint8Array> {
			yield Buffer.alloc(1000);
			late.abort(new Error("the service ends"));
		}
		await assert.rejects(store().write("half.csv", whole(), late.signal), /the service ends/);
		await assert.rejects(store().write("half.csv", failing()), /the query failed/);
		await assert.rejects(store().write("half.csv", endless(), abort.signal), /the service closes/);
		assert.equal(await store().read("half.csv"), undefined);
		assert.deepEqual(names(), before);
	});

	test("a removed file is gone; removing it again does nothing", async () => {
		await store().write("b-1.csv", pieces(1, 10));
		await store().remove("b-1.csv");
		await store().remove("b-1.csv");
		assert.equal(await store().read("b-1.csv"), undefined);
	});

	test("names that could mean something outside are refused", async () => {
		const outside = ["../a.csv", "a/b.csv", "/etc/passwd", "..", "a.csv\0", "", ".csv"];
		for (const name of [...outside, "A.csv", "a.csv.part", "%2e.csv"]) {
			await assert.rejects(async () => store().read(name), TypeError);
			await assert.rejects(async () => store().write(name, pieces(1, 1)), TypeError);
			await assert.rejects(async () => store().remove(name), TypeError);
		}
	});
}

describe("a directory of this machine", () => {
	const exports = join(directory, "exports");
	const store = openLocalDirectory(exports);
	fileStoreSuite(
		() => store,
		() => readdirSync(exports),
	);

	test("removing a file removes what a killed process has left of it", async () => {
		await store.write("c-1.csv", pieces(1, 10));
		writeFileSync(join(exports, "d-1.csv.part"), "half");
		assert.equal(await store.read("d-1.csv"), undefined);
		await store.remove("d-1.csv");
		assert.equal(readdirSync(exports).includes("d-1.csv.part"), false);
	});

	test("a check fails where nothing can be written", async () => {
		writeFileSync(join(directory, "file"), "");
		await assert.rejects(openLocalDirectory(join(directory, "file")).check());
	});
});

describe("S3", () => {
	let peer: S3Peer;
	before(async () => {
		peer = await startS3Peer();
	});
	after(() => peer.close());
	fileStoreSuite(
		() => openS3Store(peer.url(`${BUCKET}/exports`), systemClock),
		() => [...peer.objects(), ...peer.uploads()],
	);
});

test("a data directory is hidden from other users, and what its links lead to stays as it is", () => {
	const [outside, data] = [join(directory, "outside"), join(directory, "data")];
	writeFileSync(outside, "", { mode: 0o644 });
	mkdirSync(data);
	writeFileSync(join(data, "file"), "", { mode: 0o644 });
	symlinkSync(outside, join(data, "link"));
	makePrivate(data);
	const modes = [outside, join(data, "file")].map((path) => statSync(path).mode & 0o777);
	assert.deepEqual(modes, [0o644, 0o600]);
});

test("addresses of buckets have the bucket in the path, a region, and key and secret percent-decoded", () => {
	const minio = "http://minio.internal:9000/stats";
	const table: readonly [address: string, bucket: string, prefix: string, region: string][] = [
		["http://K:S@minio.internal:9000/stats", minio, "/", "us-east-1"],
		["http://K:S@minio.internal:9000/stats/a/b/?region=eu-west-1", minio, "/a/b/", "eu-west-1"],
		["s3://K:S@stats/a?region=eu-west-1", "https://s3.eu-west-1.amazonaws.com/stats", "/a/", "eu-west-1"],
		["s3://K:S@stats", "https://s3.us-east-1.amazonaws.com/stats", "/", "us-east-1"],
	];
	for (const [address, ...expected] of table) {
		const { bucket, base, region } = readS3Address(address);
		assert.deepEqual([bucket, base.slice(bucket.length), region], expected, address);
		assert.ok(base.startsWith(bucket));
	}
	const { accessKeyId, secretAccessKey } = readS3Address("https://AK%2FIA:a%2Fb%2Bc%25d%40e@host/bucket");
	assert.deepEqual([accessKeyId, secretAccessKey], ["AK/IA", "a/b+c%d@e"]);
});

test("an address without bucket or key is refused at start, without quoting it", () => {
	for (const address of [
		"https://host/bucket",
		"https://KEY:secret1@host",
		"https://KEY@host/bucket",
		"s3://bucket",
		"https://KEY:secret1%@host/bucket",
		"https://KEY:secret1/x@host/bucket",
	]) {
		assert.throws(
			() => openFileStore({ s3Url: address, dataDir: ".", clock: systemClock }, "exports"),
			(error: Error) => /S3_URL must read/.test(error.message) && !JSON.stringify(error).includes("secret1"),
			address,
		);
	}
});
