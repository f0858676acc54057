import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigError, loadConfig } from "./config.ts";
import { configTable, printConfig } from "./describe-config.ts";
import { withSecretKey } from "./secret-key.ts";
import { variables } from "./variables.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-config-"));
after(() => rmSync(directory, { recursive: true, force: true }));

test("an empty environment gives the documented defaults, frozen", () => {
	const config = loadConfig({});
	assert.deepEqual(
		[
			config.host,
			config.port,
			config.dataDir,
			config.sessionTimeoutMinutes,
			config.defaultPlan,
			config.rateLimitEnabled,
		],
		["127.0.0.1", 3000, "./data", 30, "enterprise", true],
	);
	assert.deepEqual(
		[config.roles, config.trustProxy, config.databaseUrl],
		[["collect", "api", "jobs"], false, undefined],
	);
	assert.ok(Object.isFrozen(config));
});

test("values are typed", () => {
	const config = loadConfig({
		PORT: "8080",
		ROLES: "api, collect",
		TRUST_PROXY: "10.0.0.0/8, ::1",
		COOKIE_SECURE: "false",
		SPOOL_MAX_BYTES: "512MB",
		PAYMENT_DOMAINS: "pay.example, checkout.example",
		PUBLIC_URL: "https://stats.example/",
		SMTP_URL: "",
	});
	assert.deepEqual(
		[config.port, config.roles, config.trustProxy, config.cookieSecure, config.spoolMaxBytes],
		[8080, ["collect", "api"], ["10.0.0.0/8", "::1"], false, 536_870_912],
	);
	assert.deepEqual(
		[config.paymentDomains, config.publicUrl, config.smtpUrl],
		[["pay.example", "checkout.example"], "https://stats.example", undefined],
	);
});

test("an invalid value is refused in one line that names the variable and not the value", () => {
	const cases = {
		PORT: "65536",
		ROLES: "collect,fly",
		DATABASE_URL: "mysql://me:hunter2@host/db",
		TRUST_PROXY: "10.0.0.0/33",
		COOKIE_SECURE: "maybe",
		SESSION_TIMEOUT_MINUTES: "0",
		SPOOL_MAX_BYTES: "4",
		EVENT_STORE_MEMORY: "1",
		PAYMENT_DOMAINS: "not a domain",
		LOG_LEVEL: "loud",
		SECRET_KEY: "hunter2",
		SECRET_KEY_PREVIOUS: "hunter2",
	};
	for (const [name, value] of Object.entries(cases)) {
		assert.throws(
			() => loadConfig({ [name]: value }),
			(error) =>
				error instanceof ConfigError &&
				error.message.startsWith(`${name} must be `) &&
				!/\n|hunter2/.test(error.message),
			name,
		);
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

test("a number of proxies is refused, which elsewhere is common and here would trust everybody", () => {
	assert.throws(() => loadConfig({ TRUST_PROXY: "1" }), /^ConfigError: TRUST_PROXY must be true, false, or a list/);
});

test("a sender is one address, with or without a name", () => {
	const read = (value: string) => loadConfig({ MAIL_FROM: value }).mailFrom;
	for (const value of ["ops@stats.example", "Ops <ops@stats.example>", "Žofie's Stats <ops@stats.example>"]) {
		assert.equal(read(value), value);
	}
	for (const value of [
		"Ops",
		"a@x.example, b@x.example",
		"<ops@stats.example> Ops",
		"a@b <ops@stats.example>",
		"Ops\nBcc: <e@x.example>",
	]) {
		assert.throws(() => read(value), /^ConfigError: MAIL_FROM must be an address such as/, value);
	}
});

test("printed settings mask every secret", () => {
	const text = printConfig(loadConfig({ SECRET_KEY: "k".repeat(32), DATABASE_URL: "postgres://a:hunter2@h/db" }));
	assert.match(text, /^SECRET_KEY=\*{8}$/m);
	assert.match(text, /^DATABASE_URL=\*{8}$/m);
	assert.match(text, /^SMTP_URL=$/m);
	assert.match(text, /^ROLES=collect,api,jobs$/m);
	assert.doesNotMatch(text, /hunter2|kkkk/);
});

test("the table of the manual has a line for each variable", () => {
	assert.equal(configTable().split("\n").length, Object.keys(variables).length + 2);
	assert.match(configTable(), /^\| `PORT` \| `3000` \| Port to listen on; 0 takes a free one \|$/m);
});

test("the secret is made once, kept with mode 600, and never replaced when it is damaged", () => {
	const dataDir = join(directory, "new");
	const first = withSecretKey(loadConfig({ DATA_DIR: dataDir })).secretKey;
	assert.match(first, /^[A-Za-z0-9_-]{64}$/);
	assert.equal(withSecretKey(loadConfig({ DATA_DIR: dataDir })).secretKey, first);
	const file = join(dataDir, "secret.key");
	assert.equal(statSync(file).mode & 0o777, 0o600);
	writeFileSync(file, "");
	assert.throws(() => withSecretKey(loadConfig({ DATA_DIR: dataDir })), ConfigError);
	assert.equal(readFileSync(file, "utf8"), "");
});

test("a given secret is used and not written", () => {
	const dataDir = join(directory, "given");
	const config = loadConfig({ DATA_DIR: dataDir, SECRET_KEY: "s".repeat(40) });
	assert.equal(withSecretKey(config).secretKey, "s".repeat(40));
	assert.throws(() => statSync(dataDir));
});

test("a data directory that cannot be made is refused in one line", () => {
	writeFileSync(join(directory, "file"), "");
	assert.throws(
		() => withSecretKey(loadConfig({ DATA_DIR: join(directory, "file", "data") })),
		/^ConfigError: DATA_DIR must be a directory that this process can write \(ENOTDIR\)$/,
	);
	assert.throws(
		() => withSecretKey(loadConfig({ DATA_DIR: "/proc/nope/data" })),
		/^ConfigError: DATA_DIR must be a directory that this process can write \(E[A-Z]+\)$/,
	);
});

test("provision keys are pairs of key and channel; anything else stops the start without showing a key", () => {
	assert.deepEqual(loadConfig({ PROVISION_KEYS: "one:store, two:wizard" }).provisionKeys, [
		{ key: "one", channel: "store" },
		{ key: "two", channel: "wizard" },
	]);
	for (const text of ["one", "one:", ":store", "one:store:more", "one:two words", "one:store,two"]) {
		assert.throws(
			() => loadConfig({ PROVISION_KEYS: text }),
			new ConfigError("PROVISION_KEYS must be a list of key:channel separated by commas"),
			text,
		);
	}
});
