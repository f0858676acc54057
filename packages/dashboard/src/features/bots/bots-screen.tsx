/** What was taken for a bot, and why. */
export function BotsScreen() {
	return null;
}
