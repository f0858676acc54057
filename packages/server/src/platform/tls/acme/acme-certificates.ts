import { domainToASCII } from "node:url";
import type { Clock } from "../../lib/clock.ts";
import { describeCause } from "../../log/describe-cause.ts";
import type { Log } from "../../log/log.ts";
import type { GuardedFetch } from "../../outbound/guarded-fetch.ts";
import type { CertificatePair } from "../certificate-pair.ts";
import { type Certificates, createListeners, lookEvery } from "../certificates.ts";
import { openAccountKey } from "./account-key.ts";
import { AcmeError } from "./acme-error.ts";
import { type AcmeFiles, openAcmeFiles } from "./acme-files.ts";
import { AcmeSession } from "./acme-session.ts";
import { orderCertificate } from "./order-certificate.ts";
import { afterFailure, atStart, renewalAt } from "./when-due.ts";

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

/**
 * The certificate that an authority issues for the domains, stored below `DATA_DIR` and renewed in time. A failure is
 * retried at growing intervals, while the old one stays in use.
 */
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
			log.info({ until: new Date(pair.endsAt).toISOString() }, "A certificate was issued");
		} catch (error) {
			if (closing.signal.aborted) return;
			attempts = afterFailure(attempts.failures, now, error instanceof AcmeError ? error.retryAfter : undefined);
			log.error(describeFailure(error, attempts.nextAt), "No certificate was issued; the old one stays in force");
		}
		await files.keepAttempts(attempts).catch((error: unknown) => {
			log.warn({ cause: describeCause(error) }, "The attempts at a certificate could not be noted");
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
