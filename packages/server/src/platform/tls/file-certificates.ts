import { readFileSync } from "node:fs";
import type { Clock } from "../lib/clock.ts";
import { describeCause } from "../log/describe-cause.ts";
import type { Log } from "../log/log.ts";
import {
	CertificateFault,
	type CertificatePair,
	type Certificates,
	createListeners,
	lookEvery,
	readPair,
} from "./certificates.ts";

/** How often the files are looked at. Symbolic links that are switched to other files, as many tools do, send no event. */
const LOOK_MS = 5000;

/** The certificate of two files, read again when they change; one that cannot be used is logged. Throws `CertificateFault` for a first one. */
export function openFileCertificates(
	{ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
	{ clock, log }: { readonly clock: Clock; readonly log: Log },
): Certificates {
	const read = () => ({ cert: readText("cert", certFile), key: readText("key", keyFile) });
	let current: CertificatePair = readPair(read());
	/** Files that could not be used. The two are never written at the same moment, so a fault counts when it is seen twice. */
	let fault: { readonly texts: string; readonly isTold: boolean } | undefined;
	const listeners = createListeners();
	const look = async () => {
		let texts = "";
		try {
			const found = read();
			texts = `${found.cert}\n${found.key}`;
			const next = texts === `${current.cert}\n${current.key}` ? current : readPair(found);
			fault = undefined;
			if (next === current) return;
			current = next;
			listeners.tell(next);
			log.info({ until: new Date(next.endsAt).toISOString() }, "New certificate in use");
		} catch (error) {
			const isThereAgain = fault?.texts === texts;
			if (isThereAgain && fault?.isTold === false) tell(error);
			fault = { texts, isTold: isThereAgain };
		}
	};
	const tell = (error: unknown) => {
		const setting = error instanceof CertificateFault && error.part === "key" ? "TLS_KEY" : "TLS_CERT";
		const reason = error instanceof CertificateFault ? error.message : "";
		const fields = { setting, reason, cause: describeCause(error) };
		log.error(fields, "The new certificate is not usable; the current one stays in use");
	};
	const looking = lookEvery(clock, LOOK_MS, look);
	return {
		current: () => current,
		onChange: listeners.add,
		challengeAnswer: () => undefined,
		failures: () => Number(fault?.isTold ?? false),
		look,
		start: looking.start,
		close: looking.stop,
	};
}

function readText(part: "cert" | "key", path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		const code = String((error as { code?: unknown }).code);
		throw new CertificateFault(part, `names a file that cannot be read (${code})`, error);
	}
}
