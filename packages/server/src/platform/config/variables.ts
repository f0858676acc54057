import {
	bytes,
	bytesFrom,
	channelKeys,
	count,
	flag,
	headers,
	hosts,
	list,
	mailbox,
	oneOf,
	passphrase,
	port,
	proxies,
	serverBackupPlace,
	share,
	shownUrl,
	text,
	timeOrCron,
	url,
	type VariableKind,
} from "./kinds.ts";

interface Variable<T = unknown> {
	readonly kind: VariableKind<T>;
	/** Text used when the variable is absent; without it the value is undefined. */
	readonly default?: string;
	/** Printed masked. */
	readonly secret?: true;
	/** Processes on one PostgreSQL must have the same value, or, of an address, all of them one. */
	readonly shared?: "value" | "presence";
	/** One line for the operator. */
	readonly meaning: string;
}

/** Every environment variable of the service; `Config` has it by the same words in camel case. */
export const variables = {
	HOST: { kind: text, default: "127.0.0.1", meaning: "Address to listen on; `0.0.0.0` for every interface" },
	PORT: { kind: port, default: "3000", meaning: "Port to listen on; 0 takes a free one" },
	REUSE_PORT: {
		kind: flag,
		default: "false",
		meaning:
			"With `true` processes of one machine may listen on the same `PORT`, and the kernel gives each connection to one of them; each has a `DATA_DIR` of its own, and they share `DATABASE_URL` and `REDIS_URL`",
	},
	PUBLIC_URL: {
		kind: shownUrl("http:", "https:"),
		shared: "value",
		meaning: "Address under which browsers reach the service; without it `http://HOST:PORT`",
	},
	DATA_DIR: { kind: text, default: "./data", meaning: "Directory of everything that is stored on this machine" },
	ROLES: {
		kind: list(["collect", "api", "jobs"]),
		default: "collect,api,jobs",
		meaning:
			"What this process does: `collect`, `api`, `jobs`, separated by commas; what it leaves out others do on the same `DATA_DIR`, or with the same servers",
	},
	DATABASE_URL: {
		kind: url("postgres:", "postgresql:"),
		secret: true,
		meaning: "PostgreSQL for accounts and settings; without it SQLite in `DATA_DIR`",
	},
	CLICKHOUSE_URL: {
		kind: url("http:", "https:"),
		secret: true,
		meaning: "ClickHouse server for events; without it the embedded store in `DATA_DIR`",
	},
	CLICKHOUSE_CLUSTER: { kind: text, shared: "value", meaning: "Name of the ClickHouse cluster, when there is one" },
	MOVE_DATABASE_URL: {
		kind: url("postgres:", "postgresql:"),
		secret: true,
		meaning: "PostgreSQL to which `footfall move` moves accounts and settings",
	},
	MOVE_CLICKHOUSE_URL: {
		kind: url("http:", "https:"),
		secret: true,
		meaning: "ClickHouse server to which `footfall move` moves events",
	},
	MOVE_CLICKHOUSE_CLUSTER: { kind: text, meaning: "Name of the cluster of that server, when there is one" },
	ALLOW_DIFFERENT_SETTINGS: {
		kind: flag,
		default: "false",
		meaning:
			"With `true` a process starts though its settings differ from those of the others on `DATABASE_URL`, for a change of settings that goes from one process to the next",
	},
	REDIS_URL: {
		kind: url("redis:", "rediss:"),
		secret: true,
		shared: "presence",
		meaning: "Redis or Valkey for live sessions and limits, needed when several processes share them",
	},
	S3_URL: {
		kind: url("http:", "https:", "s3:"),
		secret: true,
		shared: "presence",
		meaning:
			"S3-compatible storage for the files of exports and imports; without it `DATA_DIR/exports` and `DATA_DIR/imports`",
	},
	SMTP_URL: {
		kind: url("smtp:", "smtp+tls:", "smtps:"),
		secret: true,
		meaning: "Mail server; without it each message is a file in `DATA_DIR/outbox`",
	},
	MAIL_FROM: { kind: mailbox, default: "Footfall <footfall@localhost>", meaning: "Sender of mails" },
	SECRET_KEY: {
		kind: text,
		secret: true,
		meaning:
			"Secret of at least 32 characters from which all keys are derived; made and kept in `DATA_DIR/secret.key` when absent",
	},
	SECRET_KEY_PREVIOUS: {
		kind: text,
		secret: true,
		meaning:
			"The secret before `SECRET_KEY`, for the days after a change: what was signed or sealed with it is still read",
	},
	TRUST_PROXY: {
		kind: proxies,
		default: "false",
		meaning: "Reverse proxies whose `X-Forwarded-*` headers count: `true`, `false` or a list of addresses and ranges",
	},
	REQUIRE_HTTPS: {
		kind: flag,
		default: "true",
		meaning:
			"With a `PUBLIC_URL` of https, requests that came without TLS are led there or refused; `false` takes them, where a proxy cannot say `X-Forwarded-Proto`",
	},
	TLS_CERT: {
		kind: text,
		meaning:
			"File of the certificate with its chain (PEM): the service speaks HTTPS itself on `PORT`; read again when it changes",
	},
	TLS_KEY: { kind: text, meaning: "File of the certificate's private key (PEM)" },
	TLS_ACME_DOMAINS: {
		kind: hosts,
		meaning:
			"Host names, separated by commas, for which an authority issues a certificate (ACME), whose terms you agree to by that: the service speaks HTTPS itself on `PORT`",
	},
	TLS_ACME_EMAIL: { kind: mailbox, meaning: "Address at which that authority reaches you" },
	TLS_ACME_DIRECTORY: {
		kind: shownUrl("https:", "http:"),
		default: "https://acme-v02.api.letsencrypt.org/directory",
		meaning: "Directory of the authority",
	},
	TLS_HTTP_PORT: {
		kind: port,
		meaning:
			"Port of plain HTTP beside TLS, which leads to HTTPS and answers the authority; `80` by itself with `TLS_ACME_DOMAINS`, whose authority asks there",
	},
	COOKIE_SECURE: {
		kind: flag,
		default: "true",
		meaning: "`false` lets sign-in cookies travel over plain HTTP, for development and for networks without HTTPS",
	},
	HEALTH_TOKEN: {
		kind: text,
		secret: true,
		meaning: "Value of the header `x-health-token` that opens `/health` in production",
	},
	METRICS_TOKEN: { kind: text, secret: true, meaning: "Bearer token that opens `/metrics` in production" },
	OTEL_EXPORTER_OTLP_ENDPOINT: {
		kind: url("http:", "https:"),
		secret: true,
		meaning:
			"Collector of OpenTelemetry that traces are sent to, by OTLP over HTTP at `/v1/traces` below it; without it nothing is traced",
	},
	OTEL_EXPORTER_OTLP_HEADERS: {
		kind: headers,
		secret: true,
		meaning: "Headers for that collector as `name=value`, percent-encoded, separated by commas",
	},
	OTEL_SERVICE_NAME: { kind: text, default: "footfall", meaning: "Name of the service in traces" },
	OTEL_TRACES_SAMPLER_ARG: {
		kind: share,
		default: "1",
		meaning:
			"Share of the traces that begin here and are sent, from 0 to 1; those that another program began are as it decided",
	},
	NODE_ENV: {
		kind: oneOf(["production", "development", "test"]),
		default: "production",
		meaning: "`production`, `development` or `test`",
	},
	LOG_LEVEL: {
		kind: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
		default: "info",
		meaning: "Least level that is logged; `debug` writes a line for each request",
	},
	SESSION_TIMEOUT_MINUTES: {
		kind: count(1, 1440),
		default: "30",
		shared: "value",
		meaning: "Minutes without a hit after which a visit ends",
	},
	NEW_VISITS_PER_ADDRESS: {
		kind: count(0, 1_000_000),
		default: "1000",
		shared: "value",
		meaning:
			"Visits a minute that may begin at one IPv4 address, or IPv6 network of 64 bits, on each collector; `0` lifts the limit, where all hits come from one address",
	},
	MAX_AMOUNT: {
		kind: count(1, 99_999_999_999_999),
		default: "1000000000",
		shared: "value",
		meaning:
			"Largest amount of one conversion, of either sign, in the site's currency; a larger one counts as 0 and is reported as `invalid_amount`",
	},
	SPOOL_MAX_BYTES: {
		kind: bytesFrom(64 * 1024 ** 2, ", at least 64MB"),
		default: "4GB",
		meaning: "Hits kept on disk while the event store is away; beyond it hits are answered 503",
	},
	SESSION_MEMORY: {
		kind: bytes,
		meaning: "Most memory that running visits and click ids may take; without it a quarter of the heap",
	},
	EVENT_STORE_MEMORY: {
		kind: bytesFrom(256 * 1024 ** 2, ", at least 256MB"),
		meaning:
			"Most memory that the embedded event store may use; without it a quarter of the memory of machine or container, 1 to 4 GB; half of it below 2 GB, 192 MB of 512",
	},
	REPORT_CACHE_BYTES: {
		kind: bytes,
		default: "32MB",
		meaning: "Memory for answers to questions that were asked before; `0` keeps none",
	},
	EXPORT_MAX_BYTES: {
		kind: bytes,
		default: "20GB",
		meaning: "Most bytes that export files may take, which are kept for a day; a quarter of it for one site",
	},
	BACKUP_TO: {
		kind: text,
		secret: true,
		meaning: "Where backups go: a directory, or a bucket as in `S3_URL`; without it none are made by themselves",
	},
	BACKUP_AT: { kind: timeOrCron, default: "02:17", meaning: "When: a time of day or a cron expression, in UTC" },
	BACKUP_KEEP: { kind: count(1, 10_000), default: "14", meaning: "How many backups stay, the youngest" },
	BACKUP_PASSPHRASE: {
		kind: passphrase,
		secret: true,
		meaning: "Passphrase that seals `secret.key` in backups; without it the file is in them as it is",
	},
	CLICKHOUSE_BACKUP_TO: {
		kind: serverBackupPlace,
		meaning:
			"Where the ClickHouse server writes its events for a backup, by its own `BACKUP`: `bucket`, into the bucket of the backup, or `disk:NAME`, on a disk of the server; without it backups have no events of a server",
	},
	REGISTRATION: {
		kind: oneOf(["invited", "open", "closed"]),
		default: "invited",
		shared: "value",
		meaning:
			"Who may make an account: `invited` those with an invitation, `open` anybody, `closed` nobody but you with `footfall users create`",
	},
	DEFAULT_PLAN: {
		kind: oneOf(["free", "growth", "scale", "enterprise"]),
		default: "enterprise",
		shared: "value",
		meaning: "Plan of new organizations, and of users without one; `free` by itself where `STRIPE_SECRET_KEY` is set",
	},
	STRIPE_SECRET_KEY: {
		kind: text,
		secret: true,
		shared: "presence",
		meaning: "Key of Stripe, which takes payments for plans; without it nothing is sold",
	},
	STRIPE_WEBHOOK_SECRET: {
		kind: text,
		secret: true,
		meaning:
			"Secret that signs Stripe's events; without it none is taken, and subscriptions are looked at once an hour",
	},
	STRIPE_API_URL: {
		kind: shownUrl("http:", "https:"),
		meaning: "Address to ask instead of Stripe's own, for tests",
	},
	LLM_BASE_URL: {
		kind: shownUrl("http:", "https:"),
		meaning:
			"Chat-completions endpoint of the assistant, up to and with `/v1`; private addresses and plain HTTP are allowed",
	},
	LLM_API_KEY: { kind: text, secret: true, meaning: "Key of that endpoint, where it asks for one" },
	LLM_MODEL: { kind: text, meaning: "Model to ask there; without it there is no assistant" },
	LLM_TIMEOUT_SECONDS: {
		kind: count(1, 280),
		default: "110",
		meaning: "Seconds for the answer to one question of the assistant, all its rounds included",
	},
	PROVISIONING_ENABLED: { kind: flag, default: "false", meaning: "Opens `POST /provision`" },
	PROVISION_KEYS: {
		kind: channelKeys,
		secret: true,
		meaning: "Provision keys as `key:channel`, separated by commas",
	},
	BIGQUERY_URL: {
		kind: shownUrl("http:", "https:"),
		meaning: "Emulator or gateway that speaks BigQuery's and its sign-in's interface; without it Google's own hosts",
	},
	LEGACY_API_URL: {
		kind: url("http:", "https:"),
		meaning: "Address of the older service that migration jobs read from",
	},
	MAX_IMPORT_BYTES: { kind: bytes, default: "512MB", meaning: "Largest file that an import accepts" },
	IMPORT_MEMORY: {
		kind: bytesFrom(64 * 1024 ** 2, ", at least 64MB"),
		default: "512MB",
		meaning:
			"Most memory for the contents of a file while it is imported; two are read at a time, and two more are checked",
	},
	PAYMENT_DOMAINS: {
		kind: hosts,
		default: "",
		shared: "value",
		meaning: "Further payment pages that never count as a referrer, separated by commas",
	},
	WEBHOOK_ALLOW_PRIVATE: {
		kind: flag,
		default: "false",
		meaning: "Lets webhooks, alerts and looks at descriptions of apps go to private addresses, for development",
	},
	RATE_LIMIT_ENABLED: {
		kind: flag,
		default: "true",
		shared: "value",
		meaning: "`false` lifts the limits of requests a minute and an hour; those of wrong passwords and of plans stay",
	},
} as const satisfies Record<string, Variable>;
