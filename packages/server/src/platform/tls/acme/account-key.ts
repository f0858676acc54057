import { calculateJwkThumbprint, exportJWK, FlattenedSign, generateKeyPair, importJWK, type JWK } from "jose";

const ALGORITHM = "ES256";

interface Header {
	readonly nonce: string;
	readonly url: string;
	/** Address of the account; a request without one shows the key itself. */
	readonly account: string | undefined;
}

/** The key by which an authority knows the account. */
export type AcmeAccountKey = Awaited<ReturnType<typeof openAccountKey>>;

/** The kept key, or a new one. */
export async function openAccountKey(kept: JWK | undefined) {
	const jwk = kept ?? (await newKey());
	const key = await importJWK(jwk, ALGORITHM);
	const { d: _secret, ...shown } = jwk;
	const thumbprint = await calculateJwkThumbprint(shown);
	return {
		/** The private key, to be kept. */
		jwk,
		/** Answer to a challenge with this token (RFC 8555, 8.1). */
		answerTo: (token: string) => `${token}.${thumbprint}`,
		/** A signed request; without a payload it only reads. */
		async sign({ nonce, url, account }: Header, payload?: object) {
			const bytes = new TextEncoder().encode(payload === undefined ? "" : JSON.stringify(payload));
			const known = account === undefined ? { jwk: shown } : { kid: account };
			const signed = await new FlattenedSign(bytes)
				.setProtectedHeader({ alg: ALGORITHM, nonce, url, ...known })
				.sign(key);
			return JSON.stringify(signed);
		},
	};
}

async function newKey(): Promise<JWK> {
	const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
	return exportJWK(privateKey);
}
