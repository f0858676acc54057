/** A refusal by an authority (RFC 8555, 6.7), without its message, which quotes addresses. */
export class AcmeError extends Error {
	override readonly name = "AcmeError";
	/** The last part of the problem's type, such as `rateLimited`. */
	readonly problem: string;
	/** Seconds that the authority wants to be left alone. */
	readonly retryAfter: number | undefined;

	constructor(problem: string, retryAfter?: number) {
		super(meanings[problem] ?? `The authority refused it as ${problem}`);
		this.problem = problem;
		this.retryAfter = retryAfter;
	}
}

const unreached =
	"The authority could not fetch the answer at port 80 of a name in TLS_ACME_DOMAINS: does it lead here, through every firewall?";

/** Remedies for operators by problem. */
const meanings: Readonly<Record<string, string>> = {
	connection: unreached,
	unauthorized: unreached,
	incorrectResponse: unreached,
	dns: "The authority does not find the address of a name in TLS_ACME_DOMAINS: look at its DNS records",
	caa: "The CAA record of a name in TLS_ACME_DOMAINS forbids this authority",
	rejectedIdentifier: "The authority issues nothing for a name in TLS_ACME_DOMAINS",
	unsupportedIdentifier: "The authority issues nothing for a name in TLS_ACME_DOMAINS",
	rateLimited: "The authority has issued or refused too much lately; it is asked again later",
	invalidContact: "The authority does not take TLS_ACME_EMAIL",
	unsupportedContact: "The authority does not take TLS_ACME_EMAIL",
	externalAccountRequired:
		"The authority wants an account of its own, which is not supported: name another TLS_ACME_DIRECTORY",
	notADirectory: "TLS_ACME_DIRECTORY is no directory of an authority",
	wrongCertificate: "The authority issued a certificate for other names or another key",
	noChallenge: "The authority offers no http-01 challenge",
	tookTooLong: "The authority did not decide in time",
};
