export { checkPasswordPolicy, hashPassword, needsRehash, verifyPassword } from "./password-policy.ts";
export { createUser, currentUser, newUserRow, Password, presentUser, registerUsers, User } from "./routes.ts";
export {
	findUser,
	findUserByEmail,
	getUser,
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
