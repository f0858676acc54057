import { importPKCS8 } from "jose";
import { ServiceError } from "../../../../platform/errors/service-error.ts";

/**
 * Stored part of a service account's key file. Its addresses are ignored: requests never go to an address from the
 * file.
 */
export interface ServiceAccount {
	readonly client_email: string;
	/** PEM, PKCS #8. */
	readonly private_key: string;
	readonly private_key_id: string | null;
}

/** 400 with the reason why a key is of no use. */
export const unusableKey = (why: string, cause?: unknown) =>
	new ServiceError("bad_request", {
		message: `The service account key cannot be used: ${why}`,
		detail: [{ field: "body.service_account", message: why, type: "key" }],
		cause,
	});

const email = /^[a-z0-9.-]{1,128}@[a-z0-9.-]{1,128}\.gserviceaccount\.com$/;

/** Reads the content of a key file; throws `bad_request` for what is none. */
export async function readServiceAccount(content: Readonly<Record<string, unknown>>): Promise<ServiceAccount> {
	const { type, client_email: address, private_key: key, private_key_id: keyId } = content;
	if (type !== "service_account") throw unusableKey("its type is not service_account");
	if (typeof address !== "string" || !email.test(address)) {
		throw unusableKey("client_email names no service account");
	}
	if (typeof key !== "string") throw unusableKey("private_key is missing");
	try {
		await importPKCS8(key, "RS256");
	} catch (error) {
		throw unusableKey("private_key is no RSA key", error);
	}
	const isId = typeof keyId === "string" && /^[0-9a-zA-Z_-]{1,100}$/.test(keyId);
	return { client_email: address, private_key: key, private_key_id: isId ? keyId : null };
}
