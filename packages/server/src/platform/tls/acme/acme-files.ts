import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JWK } from "jose";
import { makeDirectory } from "../../files/make-directory.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type CertificatePair, readPair } from "../certificate-pair.ts";

const DIRECTORY = "tls";

/** The account with an authority. */
export interface KeptAccount {
	readonly directory: string;
	readonly jwk: JWK;
	/** Its address there; absent while it is not registered. */
	readonly address?: string;
}

/** How the attempts at a new certificate went. */
export interface KeptAttempts {
	/** Failures in a row. */
	readonly failures: number;
	/** Milliseconds since the Unix epoch. */
	readonly lastAt: number;
	readonly nextAt: number;
}

/** Stored files of an authority's certificate, in a directory that only this user can read. */
export interface AcmeFiles {
	account(): KeptAccount | undefined;
	readonly pair: CertificatePair | undefined;
	readonly attempts: KeptAttempts;
	keepAccount(account: KeptAccount): Promise<void>;
	keepPair(pair: CertificatePair): Promise<void>;
	keepAttempts(attempts: KeptAttempts): Promise<void>;
}

/** Reads the stored files. An unreadable one counts as absent and is replaced. */
export function openAcmeFiles(dataDir: string): AcmeFiles {
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
		keepAccount: (account) => write("account.json", JSON.stringify(account)),
		// Certificate and key in one file, so that they change together.
		keepPair: ({ cert, key }) => write("certificate.json", JSON.stringify({ cert, key })),
		keepAttempts: (attempts) => write("attempts.json", JSON.stringify(attempts)),
	};
}

/** The certificate that is kept below a data directory; undefined when there is none. */
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
