import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { probeKey } from "../../composition/health.ts";
import { spoolOverview } from "../../features/collecting/collect/index.ts";
import { collectorsAtWork } from "../../features/collecting/collector-progress/index.ts";
import { diagnoseProxy, noMailServer } from "../../features/operating/system/index.ts";
import type { EventStore } from "../../platform/event-store/event-store.ts";
import { openEventStore } from "../../platform/event-store/open-event-store.ts";
import { lackOfRight } from "../../platform/files/lack-of-right.ts";
import { makeProbe, PROBE_HEADER, readProbeAnswer } from "../../platform/lib/probe.ts";
import { isOpenToOthers, smtpTransport } from "../../platform/outbound/mail/smtp.ts";
import { askService } from "../ask-service.ts";
import {
	codeOf,
	compareClocks,
	type Examine,
	type Finding,
	type Found,
	findingOf,
	findingsOf,
	type Patient,
} from "./finding.ts";

const events = findingsOf("event store");
const GIB = 1024 ** 3;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const examineEvents: Examine = async (patient) => {
	const { config, service } = patient;
	if (config.clickhouseUrl !== undefined) return examineClickHouse(config.clickhouseUrl, patient);
	if (service !== undefined) return [];
	return existsSync(join(config.dataDir, "events"))
		? {
				check: "event store",
				level: "note",
				message: "The embedded event store is checked only while the service is running",
			}
		: events.note("No event store in DATA_DIR yet", "It is created at the first start: footfall start");
};

async function examineClickHouse(clickhouseUrl: string, { config, clock }: Patient): Promise<Found> {
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
			await examineOwnLogs(store).catch(() => undefined),
		];
	} catch (error) {
		const fix =
			"Start ClickHouse, or correct the address, user or password in CLICKHOUSE_URL; until then hits stay in the spool";
		return events.fault(`The server of CLICKHOUSE_URL cannot be used (${codeOf(error)})`, fix);
	} finally {
		await store.close();
	}
}

/** The tables in which a server logs itself, which grow without end by default. */
async function examineOwnLogs(store: Pick<EventStore, "query">): Promise<Found> {
	const tables = await store.query<{ name: string; bytes: number; ends: number }>({
		sql: `SELECT name, toUInt64(ifNull(total_bytes, 0)) AS bytes, position(create_table_query, ' TTL ') > 0 AS ends
			FROM system.tables WHERE database = 'system' AND engine LIKE '%MergeTree' AND match(name, '_log(_[0-9]+)?$') ORDER BY name`,
	});
	const endless = tables.filter(({ ends }) => ends === 0);
	if (endless.length === 0) return [];
	const size = (endless.reduce((sum, { bytes }) => sum + bytes, 0) / GIB).toFixed(1);
	const names = endless.map(({ name }) => name).join(", ");
	const fix = "Set a TTL or disable them: docs/operations.md, The logs of a ClickHouse server";
	return events.warning(`System tables of ClickHouse grow without a TTL, now ${size} GiB: ${names}`, fix);
}

const redis = findingsOf("redis");

/** Redis: that it answers and takes writes, its clock, and that it forgets nothing that is needed; and that several collectors have one. */
export const examineRedis: Examine = async (patient) => {
	const url = patient.config.redisUrl;
	return url === undefined ? examineWithout(patient) : examineRedisServer(url, patient);
};

async function examineWithout({ metadata, clock }: Patient): Promise<Found> {
	// A store that does not answer is reported by its own check.
	const atWork = metadata === undefined ? [] : await collectorsAtWork({ metadata, clock }).catch(() => []);
	if (atWork.length < 2) return [];
	const fix = "Set the same REDIS_URL for all: without it a visit whose hits reach two collectors is counted twice";
	return redis.warning(`${atWork.length} collectors run without Redis`, fix);
}

async function examineRedisServer(url: string, { clock, answerMs }: Patient): Promise<Found> {
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
		const fix = "Set maxmemory-policy noeviction, or give it more memory: evicted visits are counted again";
		return [
			redis.ok(`Redis ${of("redis_version")} answers`),
			compareClocks("Redis", theirs, [before, after]),
			of("role") === "slave" &&
				redis.fault("REDIS_URL is a replica, which refuses writes", "Set REDIS_URL to the primary"),
			/^allkeys/.test(of("maxmemory_policy")) && redis.warning("Redis evicts keys when its memory is full", fix),
		];
	} catch (error) {
		const fix = "Start Redis, or correct the address or password in REDIS_URL; until then visits are kept in memory";
		return redis.fault(`The server of REDIS_URL cannot be used (${codeOf(error)})`, fix);
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
	if (smtpUrl === undefined) return findingOf("mail", noMailServer);
	try {
		await smtpTransport(smtpUrl, limitsOf(answerMs)).check();
		const open = mail.warning(
			"Mails may be sent unencrypted, or to a server whose certificate is not verified",
			"Use smtp+tls: or smtps: in SMTP_URL: links in mails open accounts",
		);
		return [mail.ok("The mail server accepts the login"), isOpenToOthers(smtpUrl) && open];
	} catch (error) {
		const code = codeOf(error);
		const fix = fixes[code] ?? "Check the host, port and password in SMTP_URL";
		return mail.fault(`The mail server refuses the login (${code})`, fix);
	}
};

const limitsOf = (ms: number) => ({ dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });

/** Hits are loaded once a second. */
const OLD_MS = 5 * 60_000;
const MIB = 1024 * 1024;
const spool = findingsOf("spool");

/** Hits that wait for the event store, for how long, and those that it refused. */
export const examineSpool: Examine = async ({ config, clock, service }) => {
	const { dataDir, spoolMaxBytes: maxBytes } = config;
	if (lackOfRight(dataDir) !== undefined) return [];
	const { waitingBytes, waitingFiles, refused } = await spoolOverview(dataDir);
	const files = waitingFiles.map((file) => join(dataDir, "spool", file));
	const waitingMs = waitingBytes === 0 ? 0 : await oldest(files, clock.now());
	const rows = refused.filter(({ state }) => state !== "damaged").reduce((sum, entry) => sum + entry.rows, 0);
	const damaged = refused.filter(({ state }) => state === "damaged").length;
	return [
		describeWaiting(waitingBytes, waitingMs, { maxBytes, isServed: service !== undefined }),
		rows > 0 &&
			spool.warning(
				`The event store refused ${rows} rows; they are kept in spool/refused`,
				"footfall spool status lists them; footfall spool retry inserts them again",
			),
		damaged > 0 &&
			spool.warning(
				`${damaged} parts of the spool are damaged`,
				"Check the disk (smartctl, dmesg); the rest was loaded",
			),
	];
};

function describeWaiting(
	bytes: number,
	waitingMs: number,
	{ maxBytes, isServed }: { readonly maxBytes: number; readonly isServed: boolean },
): Finding {
	const message = `${(bytes / MIB).toFixed(1)} MiB wait for the event store`;
	if (bytes > maxBytes / 2) {
		const fix = "Hits are refused at SPOOL_MAX_BYTES: fix the event store, or raise the limit";
		return spool.fault(`${message}, more than half of the limit`, fix);
	}
	if (!isServed || waitingMs < OLD_MS)
		return bytes === 0 ? spool.ok("No hits waiting for the event store") : spool.ok(message);
	return spool.warning(
		`${message}, for ${Math.round(waitingMs / 60_000)} minutes`,
		"The event store accepts no rows: check the log (event store takes no rows)",
	);
}

async function oldest(files: readonly string[], now: number): Promise<number> {
	const times = await Promise.all(
		files.map(async (path) => (await stat(path).catch(() => undefined))?.birthtimeMs ?? now),
	);
	return now - Math.min(now, ...times);
}

const DAY_MS = 86_400_000;
const WARNING_DAYS = 14;
const FAULT_DAYS = 3;
const HTTPS_PORT = "443";

const address = findingsOf("public address");
const certificate = findingsOf("certificate");

/** The address that browsers use: that it leads to this service, through which proxy, and with which certificate. */
export const examinePublicUrl: Examine = async ({ config, service, clock, answerMs }) => {
	const { publicUrl, secretKey } = config;
	if (publicUrl === undefined) return [];
	const isProbed = service !== undefined && secretKey !== undefined;
	return [
		publicUrl.startsWith("https:") && (await examineCertificate(new URL(publicUrl), clock.now(), answerMs)),
		isProbed && (await probe(publicUrl, probeKey(secretKey), answerMs)),
	];
};

async function probe(publicUrl: string, key: Uint8Array, timeoutMs: number): Promise<Found> {
	const asked = makeProbe(key);
	try {
		const { status, headers } = await askService(`${publicUrl}/livez`, {
			headers: { [PROBE_HEADER]: asked },
			timeoutMs,
			isPublic: true,
		});
		const facts = readProbeAnswer(key, asked, headers[PROBE_HEADER]);
		if (facts !== undefined) return findingOf("public address", diagnoseProxy(facts, publicUrl.startsWith("https:")));
		const fix = "Correct PUBLIC_URL, its DNS record, or the upstream of the proxy";
		return address.fault(`PUBLIC_URL is answered by another service (status ${status})`, fix);
	} catch (error) {
		const fix =
			"Correct PUBLIC_URL or the proxy; if the name is not reachable from inside your network, test from outside";
		return address.fault(`PUBLIC_URL does not answer (${codeOf(error)})`, fix);
	}
}

async function examineCertificate(url: URL, now: number, timeoutMs: number): Promise<Found> {
	const endsAt = await certificateEnd(url, timeoutMs).catch(() => undefined);
	if (endsAt === undefined) return [];
	const days = Math.floor((endsAt - now) / DAY_MS);
	const message = days < 0 ? `The certificate expired ${-days} days ago` : `The certificate expires in ${days} days`;
	const fix = "Renew it, or check the log for the error (docs/operations.md, HTTPS)";
	if (days < FAULT_DAYS) return certificate.fault(message, fix);
	return days < WARNING_DAYS ? certificate.warning(message, fix) : certificate.ok(message);
}

/** When the certificate that is shown ends, whether it is valid or not. */
function certificateEnd({ hostname, port }: URL, timeoutMs: number): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const host = hostname.replace(/^\[|\]$/g, "");
	const socket = connect({
		host,
		port: Number(port || HTTPS_PORT),
		rejectUnauthorized: false,
		...(isIP(host) === 0 && { servername: host }),
	});
	socket.setTimeout(timeoutMs, () => socket.destroy(new Error("timeout")));
	socket.once("error", reject);
	socket.once("secureConnect", () => {
		resolve(Date.parse(socket.getPeerCertificate().valid_to));
		socket.destroy();
	});
	return promise;
}
