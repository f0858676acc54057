/** Conversions and events, row by row. */
export function EventsScreen() {
	return null;
}
