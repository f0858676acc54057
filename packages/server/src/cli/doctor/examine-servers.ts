import { existsSync } from "node:fs";
import { join } from "node:path";
import { collectorsAtWork } from "../../features/collecting/collector-progress/index.ts";
import { noMailServer } from "../../features/operating/system/index.ts";
import type { EventStore } from "../../platform/event-store/event-store.ts";
import { openEventStore } from "../../platform/event-store/open-event-store.ts";
import { isOpenToOthers, smtpTransport } from "../../platform/outbound/mail/smtp.ts";
import { codeOf, compareClocks, type Examine, type Finding, findingOf, findingsOf, type Patient } from "./finding.ts";

const events = findingsOf("event store");
const GIB = 1024 ** 3;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const examineEvents: Examine = async (patient) => {
	const { config, service } = patient;
	if (config.clickhouseUrl !== undefined) return examineClickHouse(config.clickhouseUrl, patient);
	if (service !== undefined) return [];
	return existsSync(join(config.dataDir, "events"))
		? [events.note("The embedded event store is checked only while the service is running")]
		: [events.note("No event store in DATA_DIR yet", "It is created at the first start: footfall start")];
};

async function examineClickHouse(clickhouseUrl: string, { config, clock }: Patient): Promise<Finding[]> {
	const store = await openEventStore({ dataDir: config.dataDir, clickhouseUrl, log: silent });
	try {
		const before = clock.now();
		const [row] = await store.query<{ version: string; now: number }>({
			sql: "SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS now",
		});
		const after = clock.now();
		const { version = "", now = before } = row ?? {};
		return [
			events.ok(`ClickHouse ${version} answers`),
			compareClocks("ClickHouse", Number(now), [before, after]),
			// Its user may not be allowed to see these tables.
			...(await examineOwnLogs(store).catch(() => [])),
		];
	} catch (error) {
		const fix =
			"Start ClickHouse, or correct the address, user or password in CLICKHOUSE_URL; until then hits stay in the spool";
		return [events.fault(`The server of CLICKHOUSE_URL cannot be used (${codeOf(error)})`, fix)];
	} finally {
		await store.close();
	}
}

/** The tables in which a server logs itself, which grow without end by default. */
async function examineOwnLogs(store: Pick<EventStore, "query">): Promise<Finding[]> {
	const tables = await store.query<{ name: string; bytes: number; ends: number }>({
		sql: `SELECT name, toUInt64(ifNull(total_bytes, 0)) AS bytes, position(create_table_query, ' TTL ') > 0 AS ends
			FROM system.tables WHERE database = 'system' AND engine LIKE '%MergeTree' AND match(name, '_log(_[0-9]+)?$') ORDER BY name`,
	});
	const endless = tables.filter(({ ends }) => ends === 0);
	if (endless.length === 0) return [];
	const size = (endless.reduce((sum, { bytes }) => sum + bytes, 0) / GIB).toFixed(1);
	const names = endless.map(({ name }) => name).join(", ");
	const fix = "Set a TTL or disable them: docs/operations.md, The logs of a ClickHouse server";
	return [events.warning(`System tables of ClickHouse grow without a TTL, now ${size} GiB: ${names}`, fix)];
}

const redis = findingsOf("redis");

/** Redis: that it answers and takes writes, its clock, and that it forgets nothing that is needed; and that several collectors have one. */
export const examineRedis: Examine = async (patient) => {
	const url = patient.config.redisUrl;
	return url === undefined ? examineWithout(patient) : examineRedisServer(url, patient);
};

async function examineWithout({ metadata, clock }: Patient): Promise<Finding[]> {
	// A store that does not answer is reported by its own check.
	const atWork = metadata === undefined ? [] : await collectorsAtWork({ metadata, clock }).catch(() => []);
	if (atWork.length < 2) return [];
	const fix = "Set the same REDIS_URL for all: without it a visit whose hits reach two collectors is counted twice";
	return [redis.warning(`${atWork.length} collectors run without Redis`, fix)];
}

async function examineRedisServer(url: string, { clock, answerMs }: Patient): Promise<Finding[]> {
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

const mail = findingsOf("mail");

const unreached = "Correct the host and port in SMTP_URL, or allow the connection in the firewall";
const fixes: Readonly<Record<string, string>> = {
	EAUTH: "Correct the user and password in SMTP_URL (percent-encode % @ : and /)",
	EDNS: "Correct the host in SMTP_URL",
	ECONNECTION: unreached,
	ESOCKET: unreached,
	ETLS: "Use smtps: in SMTP_URL, or install a valid certificate on the server (NODE_EXTRA_CA_CERTS for a private CA)",
};

/** The mail server, up to its greeting and the sign-in: nothing is sent. */
export const examineMail: Examine = async ({ config: { smtpUrl }, answerMs }) => {
	if (smtpUrl === undefined) return [findingOf("mail", noMailServer)];
	try {
		await smtpTransport(smtpUrl, limitsOf(answerMs)).check();
		const open = mail.warning(
			"Mails may be sent unencrypted, or to a server whose certificate is not verified",
			"Use smtp+tls: or smtps: in SMTP_URL: links in mails open accounts",
		);
		return [mail.ok("The mail server accepts the login"), ...(isOpenToOthers(smtpUrl) ? [open] : [])];
	} catch (error) {
		const code = codeOf(error);
		return [
			mail.fault(
				`The mail server refuses the login (${code})`,
				fixes[code] ?? "Check the host, port and password in SMTP_URL",
			),
		];
	}
};

const limitsOf = (ms: number) => ({ dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });
