export { ConfirmAddressBody, registerAddressChange } from "./address/address-routes.ts";
export {
	type AddressConfirmation,
	type AddressLink,
	confirmAddressChange,
	lookAtAddressLink,
} from "./address/confirm-address-change.ts";
export { endAddressChange } from "./address/store.ts";
export type { AuthDeps, GrantEnding, ResetDeps } from "./deps.ts";
export { createFirstRunLink } from "./first-run/first-run.ts";
export { registerSetup } from "./first-run/setup-routes.ts";
export { linkSent } from "./link-sent.ts";
export { confirmPassword } from "./password/confirm-password.ts";
export { deactivateUser, deactivateWithin } from "./password/deactivate-user.ts";
export { registerPasswords } from "./password/password-routes.ts";
export { replacePassword } from "./password/replace-password.ts";
export { checkLink, forgotPassword, resetPassword } from "./password/reset-password.ts";
export { emailField, nameField, newPasswordField, passwordField } from "./person-fields.ts";
export {
	checkInvitedRegistration,
	checkOpenRegistration,
	type RegisterDeps,
	type Registration,
	register,
} from "./registration/register.ts";
export { registerRegistration } from "./registration/registration-routes.ts";
export {
	ForgotBody,
	RegisterBody,
	Registered,
	ResetBody,
	VerifyFormBody,
} from "./registration/registration-schemas.ts";
export { mailVerification, resendVerification, verifyEmail } from "./registration/verify-email.ts";
export { requestLimits } from "./request-limits.ts";
export { clearSessionCookies, setSessionCookies } from "./session/cookies.ts";
export { signOut } from "./session/end-sessions.ts";
export { openImpersonation, resumeSession } from "./session/impersonation-session.ts";
export { type Client, clientOf, openSession, presentAccessToken, type SessionSecrets } from "./session/open-session.ts";
export { presentRegistration } from "./session/present.ts";
export { findSession, forgetEndedSessions, holdSession, revokeSessions } from "./session/store.ts";
export { registerAuth } from "./sign-in/routes.ts";
export { SignedInFrom, SignInBody } from "./sign-in/schemas.ts";
export { completeSignIn, finishSignIn, type SignInOutcome, signIn } from "./sign-in/sign-in.ts";
export { answerSignIn, SignInAnswer, signInOrigin } from "./sign-in/two-step-answer.ts";
