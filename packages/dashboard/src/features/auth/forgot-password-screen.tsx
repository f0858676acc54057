/** Asks for a mail to set a new password. */
export function ForgotPasswordScreen() {
	return null;
}
