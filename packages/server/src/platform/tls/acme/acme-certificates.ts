import { readFileSync } from "node:fs";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import type { JWK } from "jose";
import { makeDirectory } from "../../files/make-directory.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import type { Clock } from "../../lib/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import { isRecord } from "../../lib/is-record.ts";
import { describeCause } from "../../log/describe-cause.ts";
import type { Log } from "../../log/log.ts";
import type { GuardedFetch } from "../../outbound/guarded-fetch.ts";
import { type CertificatePair, type Certificates, createListeners, lookEvery, readPair } from "../certificates.ts";
import { AcmeError, AcmeSession, openAccountKey, orderCertificate } from "./order-certificate.ts";

const DIRECTORY = "tls";

interface KeptAccount {
	readonly directory: string;
	readonly jwk: JWK;
	/** Its address there; absent while it is not registered. */
	readonly address?: string;
}

interface KeptAttempts {
	readonly failures: number;
	readonly lastAt: number;
	readonly nextAt: number;
}

/** Stored files of an authority's certificate, in a directory that only this user can read. */
type AcmeFiles = ReturnType<typeof openAcmeFiles>;

/** Reads the stored files. An unreadable one counts as absent and is replaced. */
function openAcmeFiles(dataDir: string) {
	const directory = join(dataDir, DIRECTORY);
	makeDirectory(directory);
	const path = (name: string) => join(directory, name);
	const write = async (name: string, text: string) => {
		await writeAtomic(path(name), [Buffer.from(text)]);
	};
	return {
		account: () => accountOf(readJson(path("account.json"))),
		pair: readKeptPair(dataDir),
		attempts: attemptsOf(readJson(path("attempts.json"))),
		keepAccount: (account: KeptAccount) => write("account.json", JSON.stringify(account)),
		// Certificate and key in one file, so that they change together.
		keepPair: ({ cert, key }: CertificatePair) => write("certificate.json", JSON.stringify({ cert, key })),
		keepAttempts: (attempts: KeptAttempts) => write("attempts.json", JSON.stringify(attempts)),
	};
}

function readKeptPair(dataDir: string): CertificatePair | undefined {
	const { cert, key } = readJson(join(dataDir, DIRECTORY, "certificate.json"));
	if (typeof cert !== "string" || typeof key !== "string") return undefined;
	try {
		return readPair({ cert, key });
	} catch {
		return undefined;
	}
}

function readJson(path: string): Readonly<Record<string, unknown>> {
	try {
		const read: unknown = JSON.parse(readFileSync(path, "utf8"));
		return isRecord(read) ? read : {};
	} catch {
		return {};
	}
}

function accountOf({ directory, jwk, address }: Readonly<Record<string, unknown>>): KeptAccount | undefined {
	if (typeof directory !== "string" || !isRecord(jwk)) return undefined;
	return { directory, jwk, ...(typeof address === "string" && { address }) };
}

function attemptsOf({ failures, lastAt, nextAt }: Readonly<Record<string, unknown>>): KeptAttempts {
	const number = (value: unknown) => (typeof value === "number" ? value : 0);
	return { failures: number(failures), lastAt: number(lastAt), nextAt: number(nextAt) };
}

const RENEW_BEFORE = 30 * DAY_MS;
/** Certificates that live for less than three months are renewed when a third of their life is left. */
const LIFE_LEFT = 1 / 3;
/** How long a failure is waited after, by the number of failures in a row. Authorities refuse who tries more than five times an hour. */
const BACKOFF = [MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
/** An operator who has mended something starts again, and a service that falls over and over must not ask each time. */
const AFTER_START = 5 * MINUTE_MS;

/** The moment from which a certificate should be renewed; 0 where there is none for these names. */
function renewalAt(pair: CertificatePair | undefined, names: readonly string[]): number {
	if (pair === undefined || !names.every((name) => pair.names.includes(name))) return 0;
	return pair.endsAt - Math.min(RENEW_BEFORE, (pair.endsAt - pair.beginsAt) * LIFE_LEFT);
}

/** Record of a failure: the time of the next attempt, not before the authority allows it. */
function afterFailure(failures: number, now: number, retryAfterS = 0): KeptAttempts {
	const pause = BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 0;
	return { failures: failures + 1, lastAt: now, nextAt: now + Math.max(pause, retryAfterS * 1000) };
}

/** Remains of earlier attempts after a restart. */
const atStart = (kept: KeptAttempts): KeptAttempts => ({
	...kept,
	nextAt: Math.min(kept.nextAt, kept.lastAt + AFTER_START),
});

const LOOK_MS = 30_000;

interface AcmeSettings {
	readonly dataDir: string;
	readonly directoryUrl: string;
	readonly domains: readonly string[];
	readonly email: string | undefined;
	readonly clock: Clock;
	readonly log: Log;
	readonly fetch: GuardedFetch;
}

/** The certificate that an authority issues, stored below `DATA_DIR` and renewed in time, with retries at growing intervals. */
export function openAcmeCertificates(settings: AcmeSettings): Certificates {
	const { clock, log, domains } = settings;
	const files = openAcmeFiles(settings.dataDir);
	const names = domains.map((domain) => domainToASCII(domain).toLowerCase());
	const answers = new Map<string, string>();
	const listeners = createListeners();
	const closing = new AbortController();
	let current = files.pair;
	let attempts = atStart(files.attempts);
	const issue = (): Promise<CertificatePair> =>
		issueFor({ ...settings, names, files, answers, signal: closing.signal });
	const look = async () => {
		const now = clock.now();
		// A clock that was set back must not make the next attempt wait for years.
		const isPaused = now < attempts.nextAt && now >= attempts.lastAt;
		if (isPaused || now < renewalAt(current, names)) return;
		try {
			const pair = await issue();
			await files.keepPair(pair);
			current = pair;
			attempts = { failures: 0, lastAt: now, nextAt: 0 };
			listeners.tell(pair);
			log.info({ until: new Date(pair.endsAt).toISOString() }, "Certificate issued");
		} catch (error) {
			if (closing.signal.aborted) return;
			attempts = afterFailure(attempts.failures, now, error instanceof AcmeError ? error.retryAfter : undefined);
			log.error(describeFailure(error, attempts.nextAt), "No certificate was issued; the current one stays in use");
		}
		await files.keepAttempts(attempts).catch((error: unknown) => {
			log.warn({ cause: describeCause(error) }, "The certificate attempts could not be recorded");
		});
	};
	const looking = lookEvery(clock, LOOK_MS, look);
	return {
		current: () => current,
		onChange: listeners.add,
		challengeAnswer: (token) => answers.get(token),
		failures: () => attempts.failures,
		look,
		start: looking.start,
		close: async () => {
			closing.abort();
			await looking.stop();
		},
	};
}

interface Issue extends AcmeSettings {
	readonly names: readonly string[];
	readonly files: AcmeFiles;
	/** Answers to the authority, by token. */
	readonly answers: Map<string, string>;
	readonly signal: AbortSignal;
}

async function issueFor(issue: Issue): Promise<CertificatePair> {
	const { files, directoryUrl, clock, fetch, signal, names, answers } = issue;
	const kept = files.account()?.directory === directoryUrl ? files.account() : undefined;
	const key = await openAccountKey(kept?.jwk);
	if (kept === undefined) await files.keepAccount({ directory: directoryUrl, jwk: key.jwk });
	const session = new AcmeSession({ fetch, directoryUrl, key, signal });
	session.account = kept?.address;
	const answer = (token: string) => {
		answers.set(token, key.answerTo(token));
		return { end: () => void answers.delete(token) };
	};
	const order = () => orderCertificate(session, { names, answer, clock, signal });
	if (session.account !== undefined) {
		try {
			return await order();
		} catch (error) {
			// The authority has forgotten the account.
			if (!(error instanceof AcmeError) || error.problem !== "accountDoesNotExist") throw error;
			session.account = undefined;
		}
	}
	session.account = await register(session, issue);
	await files.keepAccount({ directory: directoryUrl, jwk: key.jwk, address: session.account });
	return order();
}

/** Makes the account, or finds it again by its key: its address. */
async function register(session: AcmeSession, { email }: Issue): Promise<string> {
	// A setting of an address may name a person too: `Ann <ann@example.com>`.
	const address = /<(.*)>/.exec(email ?? "")?.[1] ?? email;
	const contact = address === undefined ? {} : { contact: [`mailto:${address}`] };
	const made = await session.post(await session.addressOf("newAccount"), { termsOfServiceAgreed: true, ...contact });
	return made.location;
}

const describeFailure = (error: unknown, nextAt: number) => ({
	setting: "TLS_ACME_DOMAINS",
	...(error instanceof AcmeError && { problem: error.problem, reason: error.message }),
	cause: describeCause(error),
	again: new Date(nextAt).toISOString(),
});
