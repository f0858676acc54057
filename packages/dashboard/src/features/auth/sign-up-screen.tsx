/** A new account. */
export function SignUpScreen() {
	return null;
}
