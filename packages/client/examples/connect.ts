import { type Client, createClient } from "footfall-client";

function needed(name: string): string {
	const value = process.env[name];
	if (value === undefined || value === "") throw new Error(`Set ${name}`);
	return value;
}

/** Reads reports by a key: `FOOTFALL_URL` and `FOOTFALL_KEY`. */
export const reader = (): Client =>
	createClient({ baseUrl: needed("FOOTFALL_URL"), apiKey: needed("FOOTFALL_KEY"), retry: { times: 3 } });

/** Changes things as a user who signs in: `FOOTFALL_URL`, `FOOTFALL_EMAIL` and `FOOTFALL_PASSWORD`. */
export async function signedIn(): Promise<Client> {
	const baseUrl = needed("FOOTFALL_URL");
	const body = { email: needed("FOOTFALL_EMAIL"), password: needed("FOOTFALL_PASSWORD") };
	const answer = await createClient({ baseUrl }).call("POST /auth/token", { body });
	if ("requires_2fa" in answer) throw new Error("This user has a second factor: make a key instead");
	return createClient({ baseUrl, accessToken: answer.access_token, retry: { times: 3 } });
}

/** The site that the examples look at. */
export const site = process.env["FOOTFALL_SITE"] ?? "shop";
