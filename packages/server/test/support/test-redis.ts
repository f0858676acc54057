import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { removeAtTheEnd } from "./remove-at-the-end.ts";

/** A database of the tests' Redis that no other service uses. */
interface TestRedis {
	readonly url: string;
	leave(): Promise<unknown>;
}

/** A server has so many; the first one is everybody's, and says who uses which of the others. */
const DATABASES = 16;
/** Longer than a process may be at one file: then another one may have what it used. */
const CLAIMED_S = 600;
const claimOf = (number: number) => `footfall-tests:database:${number}`;
/** The file that names the database of a directory, and so that of its copies. */
const DATABASE_FILE = "redis-of-tests";

const kept = new Set<number>();
removeAtTheEnd({
	keepsOpen: () => [],
	remove: async () => {
		for (const number of kept) await leave(number);
	},
});

/** An empty one; with a directory that a test keeps the one that goes with it, as it was left. */
export async function testRedis(dataDir: string | undefined): Promise<TestRedis> {
	const file = dataDir === undefined ? undefined : join(dataDir, DATABASE_FILE);
	if (file !== undefined && existsSync(file)) {
		return { url: readFileSync(file, "utf8"), leave: async () => undefined };
	}
	const number = await claim();
	const url = urlOf(number);
	if (dataDir === undefined || file === undefined) return { url, leave: () => leave(number) };
	mkdirSync(dataDir, { recursive: true });
	writeFileSync(file, url);
	kept.add(number);
	return { url, leave: async () => undefined };
}

async function claim(): Promise<number> {
	for (let number = 1; number < DATABASES; number++) {
		const options = { condition: "NX", expiration: { type: "EX", value: CLAIMED_S } } as const;
		if ((await asking(0, (redis) => redis.set(claimOf(number), process.pid, options))) === null) continue;
		await asking(number, (redis) => redis.flushDb());
		return number;
	}
	throw new Error("Every database of TEST_REDIS_URL is in use by other tests");
}

const leave = (number: number): Promise<unknown> => asking(0, (redis) => redis.del(claimOf(number)));

function urlOf(number: number): string {
	const base = process.env.TEST_REDIS_URL;
	if (base === undefined) throw new Error("TEST_REDIS_URL is not set");
	const url = new URL(base);
	url.pathname = `/${number}`;
	return url.toString();
}

async function asking<T>(number: number, ask: (redis: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
	const client = createClient({ url: urlOf(number) });
	await client.connect();
	try {
		return await ask(client as ReturnType<typeof createClient>);
	} finally {
		client.destroy();
	}
}
