import { cookieNames } from "../../src/access/index.ts";
import { type AuthDeps, openSession } from "../../src/features/people/auth/index.ts";
import { insertUser, newUserRow, type UserRole, type UserRow } from "../../src/features/people/users/index.ts";

export const password = "correct horse battery staple 7";

const client = { ip: "127.0.0.1", userAgent: "lightMyRequest" };

let model: ReturnType<typeof newUserRow> | undefined;

/** Stores a user as `createUser` does; the password is hashed once a process, as a hash takes longer than many tests. */
export async function insertTestUser(
	{ metadata, clock }: Pick<AuthDeps, "metadata" | "clock">,
	{ email, name, role }: { readonly email: string; readonly name: string; readonly role: UserRole },
): Promise<UserRow> {
	model ??= newUserRow({ email: "somebody@example.com", name: "Somebody", role: "user", password }, 0);
	const now = clock.now();
	const times = { email_verified_at: now, created_at: now, updated_at: now };
	return insertUser(metadata, { ...(await model), email, name, role, ...times });
}

/** Opens a session as `POST /auth/token` does once the password has proven right. */
export async function openTestSession(deps: AuthDeps, user: UserRow) {
	const { secrets } = await openSession(deps, user, client);
	return {
		token: secrets.accessToken,
		headers: { authorization: `Bearer ${secrets.accessToken}` },
		cookies: {
			[cookieNames.access]: secrets.accessToken,
			[cookieNames.refresh]: secrets.refreshToken,
			[cookieNames.csrf]: secrets.csrfToken,
		},
	};
}
