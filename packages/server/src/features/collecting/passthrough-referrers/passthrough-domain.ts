import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { normalizeDomain } from "../../tenancy/sites/index.ts";

/** The stored form of a rule's domain, which is that of an authorized one; 422 for what is not a host name. */
export function passthroughDomain(text: string): string {
	try {
		return normalizeDomain(text, { allowLocalhost: false });
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		throw fieldError("body.domain", "Must be a domain name such as pay.example.com", "domain");
	}
}
