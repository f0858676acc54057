export { createUser, newUserRow } from "./create-user.ts";
export { currentUser } from "./current-user.ts";
export { hashPassword, needsRehash, verifyPassword } from "./password.ts";
export { checkPasswordPolicy } from "./password-policy.ts";
export { presentUser } from "./present.ts";
export { registerUsers } from "./routes.ts";
export { Password, User } from "./schemas.ts";
export {
	findUser,
	findUserByEmail,
	hasOtherSuperadmin,
	hasSuperadmin,
	insertUser,
	listUsers,
	listUsersPage,
	lockSuperadmins,
	lockUnclaimed,
	lockUser,
	normalizeEmail,
	noteSignIn,
	replaceEmail,
	replacePasswordHash,
	setFirstPassword,
	superadminAddresses,
	type UserRole,
	type UserRow,
	updateUser,
} from "./store.ts";
