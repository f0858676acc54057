import { collectorsAtWork } from "../../features/collecting/collector-progress/index.ts";
import type { Examine, Patient } from "./finding.ts";
import { codeOf, compareClocks, type Finding, findingsOf } from "./finding.ts";

const redis = findingsOf("redis");

/** Redis: that it answers and takes writes, its clock, and that it forgets nothing that is needed; and that several collectors have one. */
export const examineRedis: Examine = async (patient) => {
	const url = patient.config.redisUrl;
	return url === undefined ? examineWithout(patient) : examineServer(url, patient);
};

async function examineWithout({ metadata, clock }: Patient): Promise<Finding[]> {
	// A store that does not answer is reported by its own check.
	const atWork = metadata === undefined ? [] : await collectorsAtWork({ metadata, clock }).catch(() => []);
	if (atWork.length < 2) return [];
	const fix = "Set the same REDIS_URL for all: without it a visit whose hits reach two collectors is counted twice";
	return [redis.warning(`${atWork.length} collectors run without Redis`, fix)];
}

async function examineServer(url: string, { clock, answerMs }: Patient): Promise<Finding[]> {
	const { createClient } = await import("@redis/client");
	const client = createClient({ url, socket: { connectTimeout: answerMs, reconnectStrategy: false } });
	client.on("error", () => undefined);
	try {
		await client.connect();
		const before = clock.now();
		const [seconds, micros] = (await client.sendCommand(["TIME"])) as unknown as [string, string];
		const after = clock.now();
		const info = String(await client.sendCommand(["INFO"]));
		const of = (name: string) => new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1] ?? "";
		const theirs = Number(seconds) * 1000 + Number(micros) / 1000;
		const found = [redis.ok(`Redis ${of("redis_version")} answers`), compareClocks("Redis", theirs, [before, after])];
		if (of("role") === "slave") {
			found.push(redis.fault("REDIS_URL is a replica, which refuses writes", "Set REDIS_URL to the primary"));
		}
		if (/^allkeys/.test(of("maxmemory_policy"))) {
			const fix = "Set maxmemory-policy noeviction, or give it more memory: evicted visits are counted again";
			found.push(redis.warning("Redis evicts keys when its memory is full", fix));
		}
		return found;
	} catch (error) {
		const fix = "Start Redis, or correct the address or password in REDIS_URL; until then visits are kept in memory";
		return [redis.fault(`The server of REDIS_URL cannot be used (${codeOf(error)})`, fix)];
	} finally {
		client.destroy();
	}
}
