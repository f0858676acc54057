export {
	type AddressConfirmation,
	type AddressLink,
	confirmAddressChange,
	lookAtAddressLink,
} from "./address/address-change.ts";
export type { AuthDeps, GrantEnding, ResetDeps } from "./deps.ts";
export { createFirstRunLink, registerSetup } from "./first-run/setup-routes.ts";
export { linkSent } from "./mails.ts";
export {
	checkLink,
	confirmPassword,
	deactivateUser,
	deactivateWithin,
	forgotPassword,
	replacePassword,
	resetPassword,
} from "./password/replace-password.ts";
export { emailField, nameField, newPasswordField, passwordField } from "./person-fields.ts";
export {
	checkInvitedRegistration,
	checkOpenRegistration,
	linkIsDead,
	mailVerification,
	presentRegistration,
	type RegisterDeps,
	type Registration,
	register,
	resendVerification,
	userOfLink,
	verifyEmail,
} from "./registration/register.ts";
export { registerAuth } from "./routes.ts";
export {
	accessToken,
	ConfirmAddressBody,
	ForgotBody,
	RegisterBody,
	Registered,
	ResetBody,
	requestLimits,
	SignedInFrom,
	SignInBody,
	VerifyFormBody,
} from "./schemas.ts";
export { endSessions, openImpersonation, resumeSession, signOut } from "./session/change-sessions.ts";
export { clearSessionCookies, setSessionCookies } from "./session/cookies.ts";
export {
	type Client,
	clientOf,
	openSession,
	presentAccessToken,
	type SessionSecrets,
} from "./session/open-session.ts";
export {
	answerSignIn,
	completeSignIn,
	finishSignIn,
	SignInAnswer,
	type SignInOutcome,
	signIn,
	signInOrigin,
} from "./sign-in/sign-in.ts";
export { endAddressChange, findSession, forgetEndedSessions, holdSession, revokeSessions } from "./store.ts";
