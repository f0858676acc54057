import { generate } from "selfsigned";

/** A certificate for `localhost` and 127.0.0.1 with its key, made for this run. */
export async function testCertificate(): Promise<{ readonly cert: string; readonly key: string }> {
	const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
		algorithm: "sha256",
		keyType: "ec",
		extensions: [
			{ name: "basicConstraints", cA: true },
			{
				name: "subjectAltName",
				altNames: [
					{ type: 2, value: "localhost" },
					{ type: 7, ip: "127.0.0.1" },
				],
			},
		],
	});
	return { cert, key };
}
