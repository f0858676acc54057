import assert from "node:assert/strict";
import type { Session } from "./accounts.ts";
import type { TestApp } from "./test-app.ts";
import { password } from "./test-users.ts";

/** The cookies of a new session, as a browser holds them. */
export async function cookiesOf(app: TestApp, { email }: Session): Promise<Readonly<Record<string, string>>> {
	const response = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload: { email, password } });
	assert.equal(response.statusCode, 200, response.body);
	return Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
}
