/** Conversions, events and goals. */
export function GoalsScreen() {
	return null;
}
