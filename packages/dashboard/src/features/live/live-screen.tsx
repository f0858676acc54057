/** What happens now. */
export function LiveScreen() {
	return null;
}
