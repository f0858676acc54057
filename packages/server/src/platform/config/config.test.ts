import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { printConfig } from "../../cli/config.ts";
import { adviceFor } from "./advice.ts";
import { ConfigError, loadConfig } from "./config.ts";
import { rootUrl } from "./root-url.ts";
import { withSecretKey } from "./secret-key.ts";

const directory = newDirectory();

test("values are typed, and frozen", () => {
	const config = loadConfig({
		PORT: "8080",
		ROLES: "api, collect",
		TRUST_PROXY: "10.0.0.0/8, ::1",
		COOKIE_SECURE: "false",
		SPOOL_MAX_BYTES: "512MB",
		PAYMENT_DOMAINS: "pay.example, checkout.example",
		PUBLIC_URL: "https://stats.example/",
		SMTP_URL: "",
		PROVISION_KEYS: "one:store, two:wizard",
	});
	const { port, roles, trustProxy, cookieSecure, spoolMaxBytes } = config;
	assert.deepEqual([port, roles, trustProxy], [8080, ["collect", "api"], ["10.0.0.0/8", "::1"]]);
	assert.deepEqual([cookieSecure, spoolMaxBytes, config.smtpUrl], [false, 536_870_912, undefined]);
	const domains = [config.paymentDomains, config.publicUrl];
	assert.deepEqual(domains, [["pay.example", "checkout.example"], "https://stats.example"]);
	const keys = [
		{ key: "one", channel: "store" },
		{ key: "two", channel: "wizard" },
	];
	assert.deepEqual(config.provisionKeys, keys);
	assert.ok(Object.isFrozen(config));
});

test("an invalid value is refused in one line that names the variable and not the value", () => {
	const cases: Readonly<Record<string, readonly string[]>> = {
		PORT: ["65536"],
		ROLES: ["collect,fly"],
		DATABASE_URL: ["mysql://me:hunter2@host/db"],
		// A number of proxies is common elsewhere, and here would trust everybody.
		TRUST_PROXY: ["10.0.0.0/33", "1"],
		COOKIE_SECURE: ["maybe"],
		SESSION_TIMEOUT_MINUTES: ["0"],
		SPOOL_MAX_BYTES: ["4"],
		EVENT_STORE_MEMORY: ["1"],
		PAYMENT_DOMAINS: ["not a domain"],
		LOG_LEVEL: ["loud"],
		SECRET_KEY: ["hunter2"],
		SECRET_KEY_PREVIOUS: ["hunter2"],
		// A user would stand in every link.
		PUBLIC_URL: ["https://ann:hunter2@stats.example", "https://ann@stats.example"],
		MAIL_FROM: [
			"Ops",
			"a@x.example, b@x.example",
			"<ops@x.example> Ops",
			"a@b <ops@x.example>",
			"Ops\nBcc: <e@x.example>",
		],
		PROVISION_KEYS: ["hunter2", "hunter2:", ":store", "hunter2:store:more", "hunter2:two words", "hunter2:store,two"],
	};
	for (const [name, values] of Object.entries(cases)) {
		for (const value of values) {
			assert.throws(
				() => loadConfig({ [name]: value }),
				(error) =>
					error instanceof ConfigError &&
					error.message.startsWith(`${name} must be `) &&
					!/\n|hunter2/.test(error.message),
				`${name}=${value}`,
			);
		}
	}
	for (const value of ["ops@stats.example", "Ops <ops@stats.example>", "Žofie's Stats <ops@stats.example>"]) {
		assert.equal(loadConfig({ MAIL_FROM: value }).mailFrom, value);
	}
});

test("a raw password in an address is refused in one line that names the setting and what to percent-encode", () => {
	const all = "# as %23, @ as %40, % as %25, / as %2F";
	for (const [name, value, characters] of [
		["DATABASE_URL", "postgres://me:q#t@w%r/9@db.internal:5432/footfall", all],
		["CLICKHOUSE_URL", "http://me:q#t@w%r/9@ch.internal:8123/footfall", all],
		["REDIS_URL", "redis://:q#t@w%r/9@cache.internal:6379", all],
		["SMTP_URL", "smtps://me@mail.example:q#t@w%r/9@smtp.example:465", "@ as %40, # as %23, % as %25, / as %2F"],
		["DATABASE_URL", "postgres://me:50%@db.internal/footfall", "% as %25"],
		["DATABASE_URL", "postgres://me:9/b?@db.internal/footfall", "/ as %2F, ? as %3F"],
	] as const) {
		const message = `${name} must have these characters of its user name and password percent-encoded: ${characters}`;
		assert.throws(() => loadConfig({ [name]: value }), new ConfigError(message), value);
	}
	for (const value of [
		"postgres://me:q%23t%40w%25r%2F9@db.internal:5432/footfall?options=a@b",
		"postgres://me:p@ss@db.internal/footfall",
		"postgres://db.internal/footfall@next",
	]) {
		assert.equal(loadConfig({ DATABASE_URL: value }).databaseUrl, value);
	}
});

test("one port for several processes is refused without the servers that these share", () => {
	const env = { REUSE_PORT: "true", DATABASE_URL: "postgres://db/footfall" };
	assert.throws(() => loadConfig({ REUSE_PORT: "true" }), /^ConfigError: REUSE_PORT needs DATABASE_URL: /);
	assert.throws(() => loadConfig(env), /^ConfigError: REUSE_PORT needs REDIS_URL: /);
	assert.equal(loadConfig({ ...env, REDIS_URL: "redis://cache:6379" }).reusePort, true);
});

test("a server's part of backups is the backup's bucket or a disk by its name, and needs a server and such a bucket", () => {
	const server = { CLICKHOUSE_URL: "http://events:8123/footfall" };
	const to = (place: string, more = {}) => loadConfig({ ...server, ...more, CLICKHOUSE_BACKUP_TO: place });
	for (const place of ["bucket", "disk:s3_backups"]) assert.equal(to(place).clickhouseBackupTo, place);
	for (const place of ["disk:", "disk:a'b", "disk:a/b", "Bucket", "s3://key:hunter2@b"])
		assert.throws(
			() => to(place),
			/^ConfigError: CLICKHOUSE_BACKUP_TO must be `bucket`, or `disk:` with [^']+$/,
			place,
		);
	const found = () => to("bucket", { CLICKHOUSE_URL: "" });
	assert.throws(found, /^ConfigError: CLICKHOUSE_BACKUP_TO needs CLICKHOUSE_URL: /);
	const told = () => to("bucket", { BACKUP_TO: "/mnt/backups" });
	assert.throws(told, /must name a disk of the server, as BACKUP_TO is no/);
	assert.equal(to("bucket", { BACKUP_TO: "s3://key:secret@b/x" }).clickhouseBackupTo, "bucket");
});

test("printed settings mask every secret", () => {
	const text = printConfig(loadConfig({ SECRET_KEY: "k".repeat(32), DATABASE_URL: "postgres://a:hunter2@h/db" }));
	for (const line of ["SECRET_KEY=********", "DATABASE_URL=********", "SMTP_URL=", "ROLES=collect,api,jobs"]) {
		assert.ok(text.split("\n").includes(line), line);
	}
	assert.doesNotMatch(text, /hunter2|kkkk/);
});

test("the secret is made once, kept with mode 600, and never replaced when it is damaged", () => {
	const dataDir = join(directory, "new");
	const config = loadConfig({ DATA_DIR: dataDir });
	const first = withSecretKey(config).secretKey;
	assert.match(first, /^[A-Za-z0-9_-]{64}$/);
	assert.equal(withSecretKey(config).secretKey, first);
	const file = join(dataDir, "secret.key");
	assert.equal(statSync(file).mode & 0o777, 0o600);
	writeFileSync(file, "");
	assert.throws(() => withSecretKey(config), ConfigError);
	assert.equal(readFileSync(file, "utf8"), "");
});

test("a given secret is used and not written; a data directory that cannot be made is refused in one line", () => {
	const given = join(directory, "given");
	assert.equal(withSecretKey(loadConfig({ DATA_DIR: given, SECRET_KEY: "s".repeat(40) })).secretKey, "s".repeat(40));
	assert.throws(() => statSync(given));
	writeFileSync(join(directory, "file"), "");
	for (const DATA_DIR of [join(directory, "file", "data"), "/proc/nope/data"]) {
		const found = () => withSecretKey(loadConfig({ DATA_DIR }));
		assert.throws(found, /^ConfigError: DATA_DIR must be a directory that this process can write \(E[A-Z]+\)$/);
	}
});

test("links lead to PUBLIC_URL, else to an address of this machine; plain HTTP from other machines is warned of", () => {
	const table: readonly [env: Record<string, string>, address: string, advised?: string][] = [
		[{}, "http://127.0.0.1:3000"],
		[{ HOST: "10.0.0.5", PORT: "8080" }, "http://10.0.0.5:8080", "PUBLIC_URL"],
		[{ HOST: "0.0.0.0" }, "http://localhost:3000", "PUBLIC_URL"],
		[{ HOST: "::" }, "http://localhost:3000", "PUBLIC_URL"],
		[{ HOST: "::1" }, "http://[::1]:3000"],
		[{ HOST: "0.0.0.0", PUBLIC_URL: "https://stats.example/" }, "https://stats.example"],
		[{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, "http://localhost:3000"],
		[{ PUBLIC_URL: "http://127.0.0.1:8080" }, "http://127.0.0.1:8080"],
		[{ PUBLIC_URL: "http://[::1]:8080" }, "http://[::1]:8080"],
		[{ PUBLIC_URL: "http://stats.lan:3000" }, "http://stats.lan:3000", "COOKIE_SECURE"],
		[{ PUBLIC_URL: "http://stats.lan", COOKIE_SECURE: "false" }, "http://stats.lan"],
	];
	for (const [env, address, ...advised] of table) {
		const config = loadConfig(env);
		const advice = adviceFor(config).map(({ variable }) => variable);
		assert.deepEqual([rootUrl(config), advice], [address, advised], JSON.stringify(env));
	}
});
